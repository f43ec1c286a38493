/* fake_opencl.h - prototypes of what fake_opencl_kill.c defines; handles are plain pointers. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned int dims, const size_t *offset,
			   const size_t *global, const size_t *local, unsigned int n, void *const *list,
			   void **event);
int clEnqueueWriteBuffer(void *queue, void *buffer, unsigned int blocking, size_t offset, size_t size,
			 const void *from, unsigned int n, void *const *list, void **event);
int clEnqueueNativeKernel(void *queue, void (*function)(void *), void *arguments, size_t size, unsigned int n,
			  void *const *objects, const void **places, unsigned int events, void *const *list,
			  void **event);
int clSetEventCallback(void *event, int type, void (*notify)(void *, int, void *), void *data);
int clBuildProgram(void *program, unsigned int n, void *const *devices, const char *options,
		   void (*notify)(void *, void *), void *data);
int clFinish(void *queue);
void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int *err);
void *clCreateKernel(void *program, const char *name, int *err);
int clReleaseKernel(void *kernel);
int fake_launch(void); /* no entry point: the runtime launches something on its own account */

#ifdef __cplusplus
}
#endif
