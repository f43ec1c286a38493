/*
 * handles MILLIONS - so many buffers come and go, each with an address of its own. Prints first= and last=, ns of CPU a pair of
 * calls in the first million and in the last one. With -DVENDOR it is the library.
 */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>

#ifdef VENDOR

void *clCreateBuffer(void *context, uint64_t flags, size_t size, void *host, int *err)
{
	static uint32_t made;

	(void)context, (void)flags, (void)size, (void)host;
	*err = 0;
	return (void *)(0x7f0000000000 + (uintptr_t)(made++ * 2654435769u) * 64);
}

int clReleaseMemObject(void *buffer)
{
	(void)buffer;
	return 0;
}

#else

static double million(void)
{
	uint64_t begin = bench_ns(CLOCK_THREAD_CPUTIME_ID);
	int err;

	for (unsigned int i = 0; i < 1000000; i++)
		clReleaseMemObject(clCreateBuffer(NULL, 0, 4096, NULL, &err));
	return (double)(bench_ns(CLOCK_THREAD_CPUTIME_ID) - begin) / 1e6;
}

int main(int argc, char **argv)
{
	int millions = argc > 1 ? atoi(argv[1]) : 10;
	double first = million(), last = first;

	for (int i = 1; i < millions; i++)
		last = million();
	printf("first=%.2f last=%.2f\n", first, last);
	return 0;
}

#endif
