/* A libOpenCL.so.1 whose objects are many: each kernel, queue and buffer has an address of its own, as a heap gives them out. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct object {
	char *name;
	uint64_t more[5];
};

/* Out of large pieces, so that a million cost no time. */
static struct object *object(const char *name, int *err)
{
	static struct object *piece;
	static size_t left;

	if (!left) {
		left = 1 << 16;
		piece = calloc(left, sizeof(*piece));
	}
	left--;
	piece->name = (char *)name;
	if (err)
		*err = 0;
	return piece++;
}

void *clCreateKernel(void *program, const char *name, int *err)
{
	(void)program;
	return object(strdup(name), err);
}

void *fake_kernel(const char *name)
{
	return object(strdup(name), NULL);
}

void *clCreateCommandQueueWithProperties(void *context, void *device, const uint64_t *properties, int *err)
{
	(void)context, (void)device, (void)properties;
	return object(NULL, err);
}

int clReleaseKernel(struct object *kernel)
{
	(void)kernel;
	return 0;
}

/* Only who was not told the name when the kernel was made has to ask. */
int clGetKernelInfo(struct object *kernel, unsigned int what, size_t size, void *value, size_t *size_ret)
{
	size_t n = strlen(kernel->name) + 1;

	(void)what;
	if (size_ret)
		*size_ret = n;
	if (value && size < n)
		return -30;
	if (value)
		memcpy(value, kernel->name, n);
	return 0;
}

void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int *err)
{
	(void)context, (void)device, (void)properties;
	return object(NULL, err);
}

void *clCreateBuffer(void *context, uint64_t flags, size_t size, void *host, int *err)
{
	(void)context, (void)flags, (void)size, (void)host;
	return object(NULL, err);
}

int clReleaseMemObject(void *object)
{
	(void)object;
	return 0;
}

int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned int dims, const size_t *offset, const size_t *global,
			   const size_t *local, unsigned int n, void *const *list, void **event)
{
	(void)queue, (void)kernel, (void)dims, (void)offset, (void)global, (void)local, (void)n, (void)list, (void)event;
	return 0;
}
