/*
 * A libOpenCL.so.1 for launches.c. Kernels and queues come from small pools, so that a handle is used
 * again at once; a kernel's name is what it was made with. Who passes 7 dimensions is refused.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define POOL 1200

struct object {
	char name[32];
	int used;
};
static struct object kernels[POOL], queues[8];

static struct object *take(struct object *pool, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!pool[i].used) {
			pool[i].used = 1;
			strncpy(pool[i].name, name, sizeof(pool[i].name) - 1);
			return &pool[i];
		}
	return NULL;
}

static int give(struct object *o)
{
	o->used = 0;
	return 0;
}

void *clCreateKernel(void *program, const char *name, int *err)
{
	(void)program;
	if (err)
		*err = 0;
	return take(kernels, POOL, name);
}

void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int *err)
{
	(void)context, (void)device, (void)properties;
	if (err)
		*err = 0;
	return take(queues, 8, "");
}

int clReleaseKernel(void *kernel)
{
	return give(kernel);
}

int clReleaseCommandQueue(void *queue)
{
	return give(queue);
}

int clGetKernelInfo(void *kernel, unsigned int what, size_t size, void *value, size_t *size_ret)
{
	const struct object *k = kernel;

	if (what != 0x1190 || size <= strlen(k->name))
		return -30;
	strcpy(value, k->name);
	if (size_ret)
		*size_ret = strlen(k->name) + 1;
	return 0;
}

int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned int dims, const size_t *offset,
			   const size_t *global, const size_t *local, unsigned int n, void *const *list,
			   void **event)
{
	(void)queue, (void)kernel, (void)offset, (void)global, (void)local;
	(void)n, (void)list, (void)event;
	return dims == 7 ? -53 : 0;
}
