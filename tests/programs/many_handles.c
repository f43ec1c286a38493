/*
 * many_handles KERNELS QUEUES BUFFERS: makes as many, all alive at once, then launches each of the first, of the last and of
 * some kernels in between, and releases buffers from both ends. Prints what it launched and released, as the trace should
 * tell it. Under callgrind the counters are dumped around the launches.
 */
#include "tests/lib/steps.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef COUNTED
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

#define LAUNCHES 1000 /* of each part */

int clEnqueueNDRangeKernel(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *, unsigned int,
			   void *const *, void **);
void *clCreateKernel(void *, const char *, int *);
void *clCreateCommandQueue(void *, void *, uint64_t, int *);
void *clCreateBuffer(void *, uint64_t, size_t, void *, int *);
int clReleaseMemObject(void *);

static void **make(size_t n, void *one(size_t i))
{
	void **all = calloc(n, sizeof(*all));

	for (size_t i = 0; i < n; i++)
		all[i] = one(i);
	return all;
}

static void *kernel(size_t i)
{
	char name[64];

	snprintf(name, sizeof(name), "kernel_%zu", i);
	return clCreateKernel(NULL, name, NULL);
}

static void *queue(size_t i)
{
	(void)i;
	return clCreateCommandQueue(NULL, NULL, 0, NULL);
}

static void *buffer(size_t i)
{
	return clCreateBuffer(NULL, 0, 64 + i, NULL, NULL);
}

/* LAUNCHES of n from `from` on; each has a size of its own. */
static void launch(void **kernels, size_t n, size_t from, size_t by, void **queues)
{
	for (size_t k = 0, i = from; k < LAUNCHES && i < n; k++, i += by) {
		size_t global = 64 * (1 + i % 7);

		clEnqueueNDRangeKernel(queues[k % 4], kernels[i], 1, NULL, &global, NULL, 0, NULL, NULL);
	}
}

static void say(size_t n, size_t from, size_t by)
{
	for (size_t k = 0, i = from; k < LAUNCHES && i < n; k++, i += by)
		printf("launch kernel_%zu %zu\n", i, 64 * (1 + i % 7));
}

static void release(void **buffers, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		clReleaseMemObject(buffers[i]);
		printf("free %zu\n", 64 + i);
	}
}

int main(int argc, char **argv)
{
	size_t n[3], last, between;
	void **kernels, **queues, **buffers;

	for (int i = 0; i < 3; i++)
		n[i] = argc > i + 1 ? strtoul(argv[i + 1], NULL, 10) : 1000;
	step(1);
	kernels = make(n[0], kernel);
	queues = make(n[1], queue);
	buffers = make(n[2], buffer);
	last = n[0] - LAUNCHES;
	between = n[0] / LAUNCHES;
	step(2);
	for (int turn = 0; turn < 2; turn++) { /* the second time everything has its name */
		CALLGRIND_START_INSTRUMENTATION;
		CALLGRIND_ZERO_STATS;
		launch(kernels, n[0], 0, between, queues);
		CALLGRIND_DUMP_STATS_AT(turn ? "all" : "first");
		CALLGRIND_ZERO_STATS;
		launch(kernels, n[0], last, 1, queues);
		CALLGRIND_DUMP_STATS_AT(turn ? "last" : "first");
		CALLGRIND_STOP_INSTRUMENTATION;
		say(n[0], 0, between);
		say(n[0], last, 1);
	}
	launch(kernels, n[0], last, 1, queues + n[1] - 4);
	say(n[0], last, 1);
	release(buffers, 0, 100);
	release(buffers, n[2] - 100, n[2]);
	return 0;
}
