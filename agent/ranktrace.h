/*
 * ranktrace.h - what a program may say to ranktrace, if it wants to. It never has to.
 *
 * The calls are weak: a program that uses this header runs unchanged where ranktrace is not loaded.
 */
#ifndef RANKTRACE_H
#define RANKTRACE_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Step n begins now. The same n again changes nothing; a lower one begins another round, whose steps count on
 * (--step-back ignore: it is ignored; so is a lower one of another thread that is merely late). Thread safe; takes microseconds. Not for signal handlers.
 */
void ranktrace_step(int64_t n) __attribute__((weak));

/*
 * The process begins what it does in this role: "actor_update", "rollout"; letters, digits, '_', '-' and '.', 63 at most. What
 * the same thread begins inside it belongs to it. Returns what ranktrace_stage_end() wants, on whichever thread: 0 where there is
 * nothing to end. Stages of several threads may overlap: a call belongs to the one that began last. There is room for 16 stages at a
 * time and for 64 roles in a process's life: end each. Not for signal handlers.
 */
uint64_t ranktrace_stage_begin(const char *role) __attribute__((weak));
void ranktrace_stage_end(uint64_t stage) __attribute__((weak));

/*
 * A mini-batch, or a micro-batch (a decode step), begins, which ends the one before; or it ends, and none follows. They count from
 * 0, and again with each stage; outside of stages with each step. Not for signal handlers.
 */
void ranktrace_mini_begin(void) __attribute__((weak));
void ranktrace_mini_end(void) __attribute__((weak));
void ranktrace_micro_begin(void) __attribute__((weak));
void ranktrace_micro_end(void) __attribute__((weak));

/* The version of the agent that is loaded, such as "0.1.0". */
const char *ranktrace_version(void) __attribute__((weak));

/* As above, and nothing at all where ranktrace is not loaded. */
static inline void ranktrace_begin_step(int64_t n)
{
	if (ranktrace_step)
		ranktrace_step(n);
}

static inline uint64_t ranktrace_begin_stage(const char *role)
{
	return ranktrace_stage_begin ? ranktrace_stage_begin(role) : 0;
}

static inline void ranktrace_end_stage(uint64_t stage)
{
	if (ranktrace_stage_end)
		ranktrace_stage_end(stage);
}

static inline void ranktrace_begin_mini(void)
{
	if (ranktrace_mini_begin)
		ranktrace_mini_begin();
}

static inline void ranktrace_end_mini(void)
{
	if (ranktrace_mini_end)
		ranktrace_mini_end();
}

static inline void ranktrace_begin_micro(void)
{
	if (ranktrace_micro_begin)
		ranktrace_micro_begin();
}

static inline void ranktrace_end_micro(void)
{
	if (ranktrace_micro_end)
		ranktrace_micro_end();
}

#ifdef __cplusplus
}
#endif
#endif
