/*
 * marks - what a marker costs that no window is open for: prints mark=ns, of a mark whose message comes again, range=ns, of a range's begin and end,
 * and new=ns, of a mark with a message that never was, less what it takes to make it up; the best of many batches.
 */
#include "bench.h"
#include <stdio.h>

#define BATCHES 200

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

int main(void)
{
	clFinish(NULL);
	printf("mark=%.1f\nrange=%.1f\nnew=%.1f\n", bench_cost(mark, BATCHES), bench_cost(range, BATCHES), bench_cost(new_mark, BATCHES) - bench_cost(count_up, BATCHES));
	return 0;
}
