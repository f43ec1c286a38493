/*
 * instructions - makes calls of a few sorts, under callgrind: a dump of the counters after 400 calls of
 * a sort and after 800 more, so that what is not of the calls can be taken away. Nothing here depends on
 * time, and a ring holds it all.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <valgrind/callgrind.h>

#define WARM	200
#define CALLS	400
#define KERNELS 16

int clEnqueueNDRangeKernel(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *,
			   unsigned int, void *const *, void **);
int clEnqueueWriteBuffer(void *, void *, unsigned int, size_t, size_t, const void *, unsigned int, void *const *,
			 void **);
void *clCreateKernel(void *, const char *, int *);
void *clCreateCommandQueue(void *, void *, uint64_t, int *);
void *clCreateBuffer(void *, uint64_t, size_t, void *, int *);
int clReleaseMemObject(void *);
int clFinish(void *);

static void *queue, *kernels[KERNELS];
static const size_t global[2][2] = { { 4096, 64 }, { 1024, 16 } }, local[2] = { 64, 4 };

static void launch(int n)
{
	for (int i = 0; i < n; i++)
		clEnqueueNDRangeKernel(queue, kernels[i % KERNELS], 2, NULL, global[0], local, 0, NULL, NULL);
}

/* No kernel has the sizes that it had the last time. */
static void launch_of_another_size(int n)
{
	for (int i = 0; i < n; i++)
		clEnqueueNDRangeKernel(queue, kernels[i % KERNELS], 2, NULL, global[i / KERNELS % 2], local, 0, NULL, NULL);
}

static void copy(int n)
{
	static char memory[64];

	for (int i = 0; i < n; i++)
		clEnqueueWriteBuffer(queue, kernels, 0, 0, sizeof(memory), memory, 0, NULL, NULL);
}

static void buffer_made_and_released(int n)
{
	for (int i = 0; i < n; i++)
		clReleaseMemObject(clCreateBuffer(NULL, 0, 4096, NULL, NULL));
}

/* Where device times are recorded, this is where they are read. */
static void launch_and_finish(int n)
{
	for (int i = 0; i < n; i++) {
		clEnqueueNDRangeKernel(queue, kernels[i % KERNELS], 2, NULL, global[0], local, 0, NULL, NULL);
		if (i % 8 == 7)
			clFinish(queue);
	}
}

static const struct {
	const char *name;
	void (*calls)(int n);
} sorts[] = {
	{ "launch", launch },
	{ "launch_of_another_size", launch_of_another_size },
	{ "copy", copy },
	{ "buffer_made_and_released", buffer_made_and_released },
	{ "launch_and_finish", launch_and_finish },
};

int main(void)
{
	char name[64];

	queue = clCreateCommandQueue(NULL, NULL, 0, NULL);
	for (int i = 0; i < KERNELS; i++) {
		snprintf(name, sizeof(name), "layer_%d_forward", i);
		kernels[i] = clCreateKernel(NULL, name, NULL);
	}
	for (size_t i = 0; i < sizeof(sorts) / sizeof(*sorts); i++) {
		sorts[i].calls(WARM);
		for (int turn = 1; turn <= 2; turn++) {
			snprintf(name, sizeof(name), "%s %d", sorts[i].name, turn * CALLS);
			CALLGRIND_ZERO_STATS;
			sorts[i].calls(turn * CALLS);
			CALLGRIND_DUMP_STATS_AT(name);
		}
	}
	return 0;
}
