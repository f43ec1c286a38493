/*
 * boundaries - what it costs to tell where the trainer is: steps, stages, micro-batches, each in steps that are not recorded, and in
 * one that is. Prints <what>_outside=ns and <what>_inside=ns, the best of many batches.
 */
#include "agent/ranktrace.h"
#include "bench.h"
#include <stdio.h>

#define BATCHES 60
#define BATCH	500

static int64_t step;

static void one_step(void)
{
	ranktrace_begin_step(++step);
}

static void one_stage(void)
{
	ranktrace_end_stage(ranktrace_begin_stage("actor_update"));
}

static double cost_of(void (*boundary)(void))
{
	double least = 1e9;

	for (unsigned int i = 0; i < BATCHES; i++) {
		uint64_t begin = bench_ns(CLOCK_MONOTONIC);
		double ns;

		for (unsigned int j = 0; j < BATCH; j++)
			boundary();
		ns = (double)(bench_ns(CLOCK_MONOTONIC) - begin) / BATCH;
		least = ns < least ? ns : least;
	}
	return least;
}

/* A stage is two boundaries. */
static void print_costs(const char *where)
{
	double stage = cost_of(one_stage) / 2;

	printf("stage_%s=%.1f\nmicro_%s=%.1f\n", where, stage, where, cost_of(ranktrace_begin_micro));
}

int main(void)
{
	clFinish(NULL);
	printf("step_outside=%.1f\n", cost_of(one_step));
	print_costs("outside");
	while (step < 100000)
		one_step();
	print_costs("inside");
	printf("step_inside=%.1f\n", cost_of(one_step));
	return 0;
}
