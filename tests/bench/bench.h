/* bench.h - what the measured programs share: the calls, the clocks, and what the other threads took. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define KERNELS 16

int clEnqueueNDRangeKernel(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *,
			   unsigned int, void *const *, void **);
void *clCreateKernel(void *, const char *, int *);
void *clCreateCommandQueue(void *, void *, uint64_t, int *);
void *clCreateBuffer(void *, uint64_t, size_t, void *, int *);
int clReleaseMemObject(void *);
int clFinish(void *);

/* The threads of this process but the calling one. */
struct others {
	unsigned long long cpu_ns, switches;
	unsigned int count;
};
struct others bench_others(void);

void bench_start(void);
int bench_launch(unsigned int i);
void bench_sort(double *values, size_t n);

/* ns of a call, in the best of so many batches. */
double bench_cost(void (*once)(void), unsigned int batches);

static inline uint64_t bench_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
