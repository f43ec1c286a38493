/*
 * replay STEPS - the training run of stream.c in real time, as calls of OpenCL that any tracer sees. With fake_opencl.c
 * (-DTIMED), which takes as long for a call as we say; the machine's own noise comes on top.
 * Prints calls: how many were made, without the waits.
 */
#include "bench.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LAUNCHES  2000
#define NAMES	  61
#define POSITIONS 40 /* of a launch in its layer */
#define PLACES	  1500

int clEnqueueWriteBuffer(void *, void *, unsigned int, size_t, size_t, const void *, unsigned int, void *const *, void **);
extern uint64_t fake_ns;

static void *queues[3], *kernels[NAMES], *buffers[PLACES];
static uint64_t state = 0x9E3779B97F4A7C15ull;
static unsigned long calls;

static double uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

/* A time whose median is ns. */
static uint64_t about(double ns, double spread)
{
	double normal = sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());

	return (uint64_t)(ns * exp(spread * normal));
}

static void take(double ns, double spread)
{
	fake_ns = about(ns, spread);
	calls++;
}

static void rest(double ns, double spread)
{
	uint64_t end = bench_ns(CLOCK_MONOTONIC) + about(ns, spread);

	while (bench_ns(CLOCK_MONOTONIC) < end)
		;
}

static void allocate(unsigned int i)
{
	take(180, 0.3);
	buffers[i * 7919 % PLACES] = clCreateBuffer(NULL, 0, (size_t)1 << (12 + i % 9), NULL, NULL);
	rest(400, 0.5);
}

static void launch(unsigned int i)
{
	unsigned int place = i % POSITIONS;
	size_t local[3] = { (size_t)128 << place % 3, 1, 1 };
	size_t global[3] = { ((size_t)16 << place % 7) * local[0], place % 5 ? 1 : 32, 1 };

	take(2600, 0.25);
	clEnqueueNDRangeKernel(queues[place % 11 == 10], kernels[place * 37 % NAMES], 3, NULL, global, local, 0, NULL, NULL);
	rest(2200, 0.6);
}

static void write_data(unsigned int i)
{
	take(4100, 0.4);
	clEnqueueWriteBuffer(queues[2], buffers[0], 0, 0, (size_t)4 << i % 18, NULL, 0, NULL, NULL);
	rest(900, 0);
}

static void release(unsigned int i)
{
	take(120, 0.3);
	clReleaseMemObject(buffers[i * 7919 % PLACES]);
	rest(250, 0.5);
}

static void one_step(void)
{
	for (unsigned int i = 0; i < LAUNCHES; i++) {
		if (i % 3 == 0)
			allocate(i);
		launch(i);
		if (i % 33 == 7)
			write_data(i);
		if (i % 3 == 2)
			release(i - 2);
	}
	fake_ns = about(3e7, 0.03);
	clFinish(queues[0]);
}

int main(int argc, char **argv)
{
	void (*begin_step)(int64_t) = (void (*)(int64_t))dlsym(RTLD_DEFAULT, "ranktrace_step");
	int steps = argc > 1 ? atoi(argv[1]) : 1;
	char name[64];

	for (int i = 0; i < 3; i++)
		queues[i] = clCreateCommandQueue(NULL, NULL, 0, NULL);
	for (int i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "transformer_layer_kernel_%d_bf16", i);
		kernels[i] = clCreateKernel(NULL, name, NULL);
	}
	for (int i = 1; i <= steps; i++) {
		if (begin_step)
			begin_step(i);
		one_step();
	}
	printf("calls=%lu steps=%d\n", calls, steps);
	return 0;
}
