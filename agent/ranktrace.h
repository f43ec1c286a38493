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

/* The version of the agent that is loaded, such as "0.1.0". */
const char *ranktrace_version(void) __attribute__((weak));

/* As above, and nothing at all where ranktrace is not loaded. */
static inline void ranktrace_begin_step(int64_t n)
{
	if (ranktrace_step)
		ranktrace_step(n);
}

#ifdef __cplusplus
}
#endif
#endif
