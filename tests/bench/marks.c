/*
 * marks - what a marker costs that no window is open for: prints mark=ns, of a mark whose message comes again, range=ns, of a range's begin and end,
 * and new=ns, of a mark with a message that never was, less what it takes to make it up; the best of many batches.
 */
#include "bench.h"
#include <stdio.h>

#define BATCHES 200
#define BATCH	500

void mstxMarkA(const char *message, void *stream);
uint64_t mstxRangeStartA(const char *message, void *stream);
void mstxRangeEnd(uint64_t id);

static char message[] = "message 000000000000";

static void count_up(void)
{
	for (char *digit = message + sizeof(message) - 2; ++*digit > '9'; digit--)
		*digit = '0';
}

static void mark(void)
{
	mstxMarkA("forward", NULL);
}

static void range(void)
{
	mstxRangeEnd(mstxRangeStartA("backward", NULL));
}

static void new_mark(void)
{
	count_up();
	mstxMarkA(message, NULL);
}

static double cost_of(void (*once)(void))
{
	double least = 1e9;

	for (unsigned int i = 0; i < BATCHES; i++) {
		uint64_t begin = bench_ns(CLOCK_MONOTONIC);
		double ns;

		for (unsigned int j = 0; j < BATCH; j++)
			once();
		ns = (double)(bench_ns(CLOCK_MONOTONIC) - begin) / BATCH;
		least = ns < least ? ns : least;
	}
	return least;
}

int main(void)
{
	clFinish(NULL);
	printf("mark=%.1f\nrange=%.1f\nnew=%.1f\n", cost_of(mark), cost_of(range), cost_of(new_mark) - cost_of(count_up));
	return 0;
}
