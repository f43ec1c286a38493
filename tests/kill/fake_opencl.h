/* fake_opencl.h - prototypes of what fake_opencl_kill.c defines; handles are plain pointers. */
#pragma once
#include <stddef.h>
#include <stdint.h>

int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned int dims, const size_t *offset,
			   const size_t *global, const size_t *local, unsigned int n, void *const *list,
			   void **event);
int clEnqueueWriteBuffer(void *queue, void *buffer, unsigned int blocking, size_t offset, size_t size,
			 const void *from, unsigned int n, void *const *list, void **event);
int clFinish(void *queue);
void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int *err);
void *clCreateKernel(void *program, const char *name, int *err);
int clReleaseKernel(void *kernel);
