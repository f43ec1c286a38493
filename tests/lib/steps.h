/* steps.h - a program tells its steps, if the agent is preloaded; without it they are nobody's. */
#pragma once
#include <stdint.h>

extern void ranktrace_step(int64_t n) __attribute__((weak));

static inline void step(int64_t n)
{
	if (ranktrace_step)
		ranktrace_step(n);
}
