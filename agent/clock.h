/* clock.h - raw ticks for the hot path, and the triples that turn them into time offline. */
#pragma once
#include "own.h"
#include <time.h>

struct clock_triple {
	uint64_t ticks;
	uint64_t monotonic; /* ns */
	uint64_t realtime;  /* ns since the Unix epoch */
};

extern unsigned int clock_kind OURS; /* enum clock_kind of trace_file.h */

void clock_start(void);
struct clock_triple clock_read(void);
uint64_t clock_now_ns(void); /* CLOCK_MONOTONIC */
uint64_t clock_hz(void);     /* approximate ticks a second, measured since clock_start() */

/* Unfenced on purpose: a fence doubles the cost, and blurs of 20 ns do not matter beside a launch. */
ALWAYS_INLINE uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
	if (LIKELY(clock_kind == 1))
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	if (LIKELY(clock_kind == 2)) {
		__asm__ volatile("mrs %0, cntvct_el0"
				 : "=r"(ticks));
		return ticks;
	}
#endif
	return clock_now_ns();
}
