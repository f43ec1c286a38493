#include "agent/os/clock.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "agent/format/session_files.h"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define READINGS      16
#define READING_COSTS 200 /* ns at most */
#define FORCED_COST   "costs="

unsigned int clock_kind = CLOCK_NANOSECONDS;
uint64_t clock_refused_ns;

static struct clock_triple started;

static uint64_t read_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

#if defined(__x86_64__)
/* The kernel's own verdict counts for more than the CPU's promise: it watches for drift between cores. */
static bool kernel_uses_tsc(void)
{
	char name[16] = "";
	int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (read(fd, name, sizeof(name) - 1) < 0)
		name[0] = '\0';
	close(fd);
	return !strncmp(name, "tsc", 3);
}

_Static_assert(CLOCK_KIND_RAW == CLOCK_TSC, "clock.h says the same");

static bool raw_is_steady(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && d & BIT(8) && kernel_uses_tsc();
}
#elif defined(__aarch64__)
_Static_assert(CLOCK_KIND_RAW == CLOCK_CNTVCT, "clock.h says the same");

static bool raw_is_steady(void)
{
	return true;
}
#else
static bool raw_is_steady(void)
{
	return false;
}
#endif

/* What a reading takes, in ns, of a few tries the least: this thread may be interrupted. */
static uint64_t raw_cost(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 8 && least > READING_COSTS; i++) {
		uint64_t from = clock_now_ns(), ns;

		for (int n = 0; n < READINGS; n++)
			clock_raw();
		ns = (clock_now_ns() - from) / READINGS;
		if (ns < least)
			least = ns;
	}
	return least;
}

/* Some kernels trap the counter, for an erratum of the processor: each reading is a fault then. forced: for tests, or NULL */
static bool raw_is_cheap(const char *forced)
{
	uint64_t ns = forced ? strtoull(forced + strlen(FORCED_COST), NULL, 10) : raw_cost();

	if (ns <= READING_COSTS)
		return true;
	clock_refused_ns = ns;
	return false;
}

/* RANKTRACE_CLOCK: raw, ns, costs=NS (of a steady counter a reading). */
void clock_start(void)
{
	const char *forced = getenv("RANKTRACE_CLOCK");
	bool raw;

	clock_refused_ns = 0;
	if (forced && strncmp(forced, FORCED_COST, strlen(FORCED_COST)))
		raw = !strcmp(forced, "raw");
	else
		raw = (forced || raw_is_steady()) && raw_is_cheap(forced);
	clock_kind = raw ? CLOCK_KIND_RAW : CLOCK_NANOSECONDS;
	started = clock_read();
}

/* Ticks are read on both sides of the clock, and the tightest of a few tries is kept. */
struct clock_triple clock_read(void)
{
	struct clock_triple best = { 0 };
	uint64_t width = UINT64_MAX;

	for (int i = 0; i < 4; i++) {
		uint64_t before = clock_ticks();
		uint64_t mono = read_ns(CLOCK_MONOTONIC);
		uint64_t after = clock_ticks();

		if (clock_passed(after - before) >= width)
			continue;
		width = clock_passed(after - before);
		best.ticks = before + width / 2;
		best.monotonic = mono;
	}
	best.realtime = read_ns(CLOCK_REALTIME) - (read_ns(CLOCK_MONOTONIC) - best.monotonic);
	return best;
}

uint64_t clock_hz(void)
{
	struct clock_triple now = clock_read();
	uint64_t ns = now.monotonic - started.monotonic;

	if (clock_kind == CLOCK_NANOSECONDS || !ns)
		return 1000000000u;
	return (uint64_t)((unsigned __int128)(now.ticks - started.ticks) * 1000000000u / ns); /* no floating point: its flags are the program's */
}
