/*
 * pace CALLS_PER_SECOND MILLISECONDS [WORD...] - launches at a steady pace; who falls behind hurries.
 * idle: two steps begin and end before the rest, in which nothing is to be recorded any more. threads=N: N threads, each
 * at the pace. most=N: so many calls of each thread, however long it takes. hold: waits at the end until its input ends, to be looked at.
 * Prints key=value: calls and seconds; then of the other threads, from half a second after the start (what they
 * write lags behind by a part of a ring), how many there are, their CPU time and switches, and the calls of that
 * time; last the clock when main() is about to return.
 */
#include "bench.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SETTLED	   500000000u /* ns */
#define GRAIN	   10000u     /* ns: how finely the pace is kept */
#define STEP_CALLS 1000

static double rate; /* calls a ns */
static uint64_t duration, most = UINT64_MAX;
static bool idle, hold;
static unsigned int count = 1;

/* The work of one thread; the first one also looks at those that are not the program's. */
struct result {
	uint64_t calls, from_calls;
	struct others from, to;
	bool settled;
};

/* The program's own other threads would be counted as well: with several, only the calls matter. */
static void settle(struct result *r)
{
	r->settled = true;
	r->from = bench_others();
	r->from_calls = r->calls;
}

static void *run(void *arg)
{
	struct result *r = arg;
	uint64_t begin = bench_ns(CLOCK_MONOTONIC), now = begin;

	for (; r->calls < most && (most != UINT64_MAX || now - begin < duration); now = bench_ns(CLOCK_MONOTONIC)) {
		uint64_t due = (uint64_t)((double)(now - begin) * rate), limit = r->calls + 1 + (uint64_t)(rate * GRAIN);

		due = due < most ? due : most;
		if (!r->settled && now - begin > SETTLED)
			settle(r);
		for (; r->calls < due && r->calls < limit; r->calls++)
			bench_launch((unsigned int)r->calls);
	}
	if (!r->settled)
		settle(r);
	r->to = bench_others();
	return NULL;
}

/* The linker would resolve a weak reference of a program that is not position-independent to nothing. */
static uint64_t two_steps(void)
{
	void (*begin_step)(int64_t) = (void (*)(int64_t))dlsym(RTLD_DEFAULT, "ranktrace_step");

	if (!begin_step)
		return 0;
	for (int step = 1; step <= 3; step++) {
		begin_step(step);
		for (unsigned int i = 0; step < 3 && i < STEP_CALLS; i++)
			bench_launch(i);
	}
	return 2 * STEP_CALLS;
}

static void parse(int argc, char **argv)
{
	rate = argc > 1 ? atof(argv[1]) / 1e9 : 1e-4;
	duration = argc > 2 ? strtoul(argv[2], NULL, 10) * 1000000 : 1000000000;
	for (int i = 3; i < argc; i++) {
		idle |= !strcmp(argv[i], "idle");
		hold |= !strcmp(argv[i], "hold");
		if (!strncmp(argv[i], "threads=", 8))
			count = (unsigned int)atoi(argv[i] + 8);
		if (!strncmp(argv[i], "most=", 5))
			most = strtoul(argv[i] + 5, NULL, 10);
	}
}

int main(int argc, char **argv)
{
	struct result results[64] = { 0 }, *first = &results[0];
	pthread_t ids[64];
	uint64_t begin, calls;

	parse(argc, argv);
	if (!count || count > 64)
		return 2;
	bench_start();
	calls = idle ? two_steps() : 0;
	begin = bench_ns(CLOCK_MONOTONIC);
	for (unsigned int i = 1; i < count; i++)
		pthread_create(&ids[i], NULL, run, &results[i]);
	run(first);
	for (unsigned int i = 1; i < count; i++)
		pthread_join(ids[i], NULL);
	for (unsigned int i = 0; i < count; i++)
		calls += results[i].calls;
	printf("calls=%llu seconds=%.4f others=%u others_ns=%llu switches=%llu settled_calls=%llu ",
	       (unsigned long long)calls, (double)(bench_ns(CLOCK_MONOTONIC) - begin) / 1e9, first->to.count,
	       first->to.cpu_ns - first->from.cpu_ns, first->to.switches - first->from.switches,
	       (unsigned long long)(first->calls - first->from_calls));
	fflush(stdout);
	if (hold)
		while (getchar() != EOF)
			;
	printf("leaving=%llu\n", (unsigned long long)bench_ns(CLOCK_MONOTONIC));
	fflush(stdout);
	return 0;
}
