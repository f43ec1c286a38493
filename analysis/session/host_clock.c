#include "analysis/session/host_clock.h"

#include <time.h>

#include "agent/format/session_files.h"

static uint64_t read_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t read_ticks(uint32_t kind)
{
#if defined(__x86_64__)
	if (kind == CLOCK_TSC)
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0"
			 : "=r"(ticks));
	if (kind == CLOCK_CNTVCT)
		return ticks;
#endif
	(void)kind;
	return read_ns(CLOCK_MONOTONIC);
}

void host_clock_triple(uint32_t kind, struct clock_reading *now)
{
	uint64_t best = UINT64_MAX;

	/* The tightest of a few tries: we may be interrupted between two readings. */
	for (int i = 0; i < 8; i++) {
		uint64_t before = read_ticks(kind), ns = read_ns(CLOCK_MONOTONIC);
		uint64_t after = read_ticks(kind), width = after > before ? after - before : 0;

		if (width >= best)
			continue;
		best = width;
		now->ticks = before + best / 2;
		now->monotonic = ns;
	}
	now->realtime = read_ns(CLOCK_REALTIME) - read_ns(CLOCK_MONOTONIC) + now->monotonic;
}

double host_clock_since(uint32_t kind, uint64_t ticks, uint64_t tick_hz)
{
	uint64_t now = read_ticks(kind), hz = kind == CLOCK_NANOSECONDS ? 1000000000u : tick_hz;

	return hz && now >= ticks ? (double)(now - ticks) / (double)hz : -1;
}
