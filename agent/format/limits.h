/* limits.h - the tables of fixed size that a session tells of. */
#pragma once

#define HOOKS_MOST 4096 /* rows; hooks/rows/ids.h sees to it that there are no more */

/*
 * LIMIT(key): what did not fit into a table, and the key under which file texts and run.json tell how much.
 * analysis/run/limits.def says them in words.
 */
/* clang-format off: it takes a list of macros for nested statements */
#define SESSION_LIMITS(LIMIT)      \
	LIMIT(lost_definitions)    \
	LIMIT(untracked_handles)   \
	LIMIT(shared_streams)      \
	LIMIT(unwrapped_functions) \
	LIMIT(unwrapped_operators) \
	LIMIT(newer_functions)     \
	LIMIT(unlisted_libraries)  \
	LIMIT(unprofiled_queues)   \
	LIMIT(unshaped_operators)  \
	LIMIT(untold_graphs)       \
	LIMIT(forgotten_plans)     \
	LIMIT(untold_pieces)       \
	LIMIT(untold_stages)       \
	LIMIT(unwaited_queues)     \
	LIMIT(merged_windows)      \
	LIMIT(missed_boundaries)
/* clang-format on */
enum session_limit {
#define LIMIT(key) LIMIT_##key,
	SESSION_LIMITS(LIMIT)
#undef LIMIT
		SESSION_LIMIT_COUNT
};
