/*
 * boundaries - what it costs to tell where the trainer is: steps, stages, micro-batches, each in steps that are not recorded, and in
 * one that is. Prints <what>_outside=ns and <what>_inside=ns, the best of many batches.
 */
#include "agent/ranktrace.h"
#include "bench.h"
#include <stdio.h>

#define BATCHES 60

static int64_t step;

static void one_step(void)
{
	ranktrace_begin_step(++step);
}

static void one_stage(void)
{
	ranktrace_end_stage(ranktrace_begin_stage("actor_update"));
}

/* A stage is two boundaries. */
static void print_costs(const char *where)
{
	double stage = bench_cost(one_stage, BATCHES) / 2;

	printf("stage_%s=%.1f\nmicro_%s=%.1f\n", where, stage, where, bench_cost(ranktrace_begin_micro, BATCHES));
}

int main(void)
{
	clFinish(NULL);
	printf("step_outside=%.1f\n", bench_cost(one_step, BATCHES));
	print_costs("outside");
	while (step < 100000)
		one_step();
	print_costs("inside");
	printf("step_inside=%.1f\n", bench_cost(one_step, BATCHES));
	return 0;
}
