/* knobs.c - what a program says itself of how long something takes: it finds these by dlsym. */
#include "tests/sims/lib/sim.h"
#include <string.h>
#include <time.h>

static __thread uint64_t next_work;
static struct {
	const char *symbol;
	uint64_t ns;
} calls[16];

void sim_work_takes(uint64_t ns)
{
	next_work = ns;
}

uint64_t sim_work_ns(uint64_t otherwise)
{
	uint64_t ns = next_work ? next_work : otherwise;

	next_work = 0;
	return ns;
}

/* The symbol stays the program's. Not while others call. */
void sim_calls_take(const char *symbol, uint64_t ns)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!calls[i].symbol || !strcmp(calls[i].symbol, symbol)) {
			calls[i].symbol = symbol;
			calls[i].ns = ns;
			return;
		}
}

/* Long ones sleep, as those do that read a file; short ones keep the processor. */
static void spend(uint64_t ns)
{
	struct timespec now;
	uint64_t end;

	clock_gettime(CLOCK_MONOTONIC, &now);
	end = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + ns;
	if (ns > 200000)
		nanosleep(&(struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) }, NULL);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec < end);
}

void sim_call_spends(const char *symbol)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls) && calls[i].symbol; i++)
		if (calls[i].ns && !strcmp(calls[i].symbol, symbol))
			spend(calls[i].ns);
}
