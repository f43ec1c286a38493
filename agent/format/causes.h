/* causes.h - why a process recorded nothing, or stopped: a word of file texts and run.json; analysis/check/causes.def says it in full. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * SESSION_CAUSES(CAUSE): symbol, word, and what it means for calls that wait: PASSING:
 * they are wanted, and later ones may be recorded; STEPS: it tells of steps alone, and gives way to what loses calls; FINAL: they
 * are thrown away, and later ones are.
 */
#define SESSION_CAUSES(CAUSE)                           \
	CAUSE(NONE, "none", PASSING)                    \
	CAUSE(DISABLED, "disabled", FINAL)              \
	CAUSE(NO_STEPS, "no-steps-selected", FINAL)     \
	CAUSE(NOT_SELECTED, "rank-not-selected", FINAL) \
	CAUSE(NO_RANK, "rank-unknown", PASSING)         \
	CAUSE(NOT_REACHED, "step-not-reached", STEPS)   \
	CAUSE(NO_SOURCE, "no-step-source-fired", STEPS) \
	CAUSE(BAD_CONFIG, "bad-configuration", FINAL)   \
	CAUSE(SAVE_PATH, "save-path", FINAL)            \
	CAUSE(DISK_FULL, "disk-full", FINAL)            \
	CAUSE(MAX_SIZE, "max-size-reached", FINAL)      \
	CAUSE(NO_MEMORY, "no-ring-memory", PASSING)     \
	CAUSE(NO_THREAD, "no-flush-thread", FINAL)      \
	CAUSE(SECOND_COPY, "second-copy", FINAL)        \
	CAUSE(NO_WIPE, "no-wipe-on-fork", FINAL)        \
	CAUSE(NO_PYTHON, "no-python", STEPS)            \
	CAUSE(PYTHON_AWAY, "python-away", STEPS)        \
	CAUSE(NO_TORCH, "torch-not-imported", STEPS)    \
	CAUSE(OLD_TORCH, "torch-too-old", STEPS)        \
	CAUSE(NO_OPTIMIZER, "no-optimizer-step", STEPS) \
	CAUSE(PYTHON_FAILED, "python-failed", STEPS)    \
	CAUSE(NO_DESCRIPTOR, "no-descriptor", FINAL)    \
	CAUSE(NOT_ENTERED, "not-entered", STEPS)        \
	CAUSE(NOT_FOUND, "function-not-found", STEPS)   \
	CAUSE(NOT_CALLED, "function-not-called", STEPS) \
	CAUSE(NO_ROLE, "no-stage-entered", STEPS)       \
	CAUSE(OTHER_ROLES, "other-roles", STEPS)        \
	CAUSE(ROLES_AWAY, "roles-not-on-rank", STEPS)   \
	CAUSE(ROLES_OFF, "roles-not-enabled", FINAL)    \
	CAUSE(ROLES_STEPS, "roles-not-in-steps", STEPS) \
	CAUSE(PASSED, "steps-passed", STEPS)            \
	CAUSE(NOT_ASKED, "not-asked", STEPS)            \
	CAUSE(ROLES_NO_RANK, "roles-rank-unknown", STEPS)
enum session_cause {
#define CAUSE(symbol, word, sort) CAUSE_##symbol,
	SESSION_CAUSES(CAUSE)
#undef CAUSE
		CAUSE_COUNT
};

static inline const char *session_cause_word(uint32_t cause)
{
	static const char *const words[] = {
#define CAUSE(symbol, word, sort) word,
		SESSION_CAUSES(CAUSE)
#undef CAUSE
	};

	return cause < CAUSE_COUNT ? words[cause] : "unknown";
}

/* CAUSE_COUNT: it is none. */
static inline uint32_t session_cause_of(const char *word)
{
	uint32_t cause = CAUSE_NONE;

	while (cause < CAUSE_COUNT && strcmp(session_cause_word(cause), word))
		cause++;
	return cause;
}

enum session_cause_sort { CAUSE_IS_PASSING,
			  CAUSE_IS_STEPS,
			  CAUSE_IS_FINAL };

/* Of a number that no agent writes: final. */
static inline enum session_cause_sort session_cause_sort(uint32_t cause)
{
	static const uint8_t sorts[] = {
#define CAUSE(symbol, word, sort) CAUSE_IS_##sort,
		SESSION_CAUSES(CAUSE)
#undef CAUSE
	};

	return cause < CAUSE_COUNT ? (enum session_cause_sort)sorts[cause] : CAUSE_IS_FINAL;
}

static inline bool session_cause_is_of_steps(uint32_t cause)
{
	return session_cause_sort(cause) == CAUSE_IS_STEPS;
}

static inline bool session_cause_is_final(uint32_t cause)
{
	return session_cause_sort(cause) == CAUSE_IS_FINAL;
}
