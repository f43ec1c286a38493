/* limits.h - the tables of fixed size that a session tells of. */
#pragma once

#define HOOKS_MOST 4096 /* rows; hooks/rows/ids.h sees to it that there are no more */

/*
 * LIMIT(key): what did not fit into a table, and the key under which file texts and run.json tell how much.
 * analysis/run/limits.def says them in words.
 */
/* clang-format off: it takes a list of macros for nested statements */
/* What is told of a session, and begins anew in a forked child's. */
#define LIMITS_OF_SESSIONS(LIMIT) \
	LIMIT(lost_definitions)   \
	LIMIT(unlisted_libraries) \
	LIMIT(unshaped_operators) \
	LIMIT(untold_graphs)      \
	LIMIT(missed_boundaries)

/* Of the process's tables, which are as full in a forked child. */
#define LIMITS_OF_TABLES(LIMIT)    \
	LIMIT(untracked_handles)   \
	LIMIT(shared_streams)      \
	LIMIT(unwrapped_functions) \
	LIMIT(unwrapped_operators) \
	LIMIT(newer_functions)     \
	LIMIT(unprofiled_queues)   \
	LIMIT(forgotten_plans)     \
	LIMIT(untold_pieces)       \
	LIMIT(untold_stages)       \
	LIMIT(unwaited_queues)     \
	LIMIT(merged_windows)

#define SESSION_LIMITS(LIMIT) LIMITS_OF_SESSIONS(LIMIT) LIMITS_OF_TABLES(LIMIT)
/* clang-format on */
enum session_limit {
#define LIMIT(key) LIMIT_##key,
	LIMITS_OF_SESSIONS(LIMIT) LIMITS_OF_SESSIONS_COUNT,
	LIMITS_OF_SESSIONS_LAST = LIMITS_OF_SESSIONS_COUNT - 1,
	LIMITS_OF_TABLES(LIMIT)
#undef LIMIT
		SESSION_LIMIT_COUNT
};
