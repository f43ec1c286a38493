/* A libOpenCL.so.1 whose launch returns at once, or after the work of about 50 ns (-DWORK). */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned int dims, const size_t *offset,
			   const size_t *global, const size_t *local, unsigned int n, void *const *list,
			   void **event)
{
	(void)queue, (void)kernel, (void)dims, (void)offset, (void)global, (void)local;
	(void)n, (void)list, (void)event;
#ifdef WORK
	{
		static volatile uint64_t sink;
		uint64_t x = (uintptr_t)queue | 1;

		for (int i = 0; i < 60; i++) /* each waits for the one before: about 4 cycles */
			x = x * 6364136223846793005ull + 1442695040888963407ull;
		sink = x;
	}
#endif
	return 0;
}

void *clCreateKernel(void *program, const char *name, int *err)
{
	(void)program;
	if (err)
		*err = 0;
	return strdup(name);
}

void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int *err)
{
	(void)context, (void)device, (void)properties;
	if (err)
		*err = 0;
	return malloc(64);
}
