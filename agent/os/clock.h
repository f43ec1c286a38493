/* clock.h - raw ticks for the hot path, and the triples that turn them into time offline. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include "agent/base/attributes.h"

struct clock_triple {
	uint64_t ticks;
	uint64_t monotonic; /* ns */
	uint64_t realtime;  /* ns since the Unix epoch */
};

extern unsigned int clock_kind OURS; /* enum clock_kind of trace_file.h */
extern uint64_t clock_refused_ns;    /* what a reading of the processor's counter takes, if that is too much; else 0 */

void clock_start(void);
struct clock_triple clock_read(void);
uint64_t clock_now_ns(void); /* CLOCK_MONOTONIC */
uint64_t clock_hz(void);     /* approximate ticks a second, measured since clock_start() */

/*
 * The processor's own counter. Unfenced on purpose: a fence doubles the cost, and blurs of 20 ns do not
 * matter beside a launch.
 */
#if defined(__x86_64__)
#define CLOCK_KIND_RAW 1 /* CLOCK_TSC */
ALWAYS_INLINE uint64_t clock_raw(void)
{
	return __builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
#define CLOCK_KIND_RAW 2 /* CLOCK_CNTVCT */
ALWAYS_INLINE uint64_t clock_raw(void)
{
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0"
			 : "=r"(ticks));
	return ticks;
}
#else
#define CLOCK_KIND_RAW 0 /* there is none */
#define clock_raw      clock_now_ns
#endif

/* Of the difference of two readings: unfenced, they may come out of order where little is between them, and no time has passed. */
ALWAYS_INLINE uint64_t clock_passed(uint64_t ticks)
{
	return (int64_t)ticks < 0 ? 0 : ticks;
}

/* May clock_raw() be used? */
ALWAYS_INLINE bool clock_is_raw(void)
{
	return clock_kind == CLOCK_KIND_RAW;
}

ALWAYS_INLINE uint64_t clock_ticks(void)
{
	return LIKELY(clock_is_raw()) ? clock_raw() : clock_now_ns();
}
