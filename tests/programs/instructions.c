/*
 * instructions - makes calls of a few sorts, under callgrind: a dump of the counters after 400 calls of
 * a sort and after 800 more, so that what is not of the calls can be taken away. Nothing here depends on
 * time, and a ring holds it all.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <valgrind/callgrind.h>
#include "hooks/cuda/abi/abi.h"

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

cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **);
CUresult cuLaunchKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, CUstream, void **,
			void **);
CUresult cuLaunchKernelEx(const CUlaunchConfig *, CUfunction, void **, void **);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, int, cudaStream_t);
cudaError_t cudaDeviceSynchronize(void);
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);

int aclrtBinaryGetFunction(void *, const char *, void **);
int aclrtLaunchKernel(void *, uint32_t, const void *, size_t, void *);
int aclrtMemcpyAsync(void *, size_t, const void *, size_t, int, void *);
int aclrtSynchronizeStream(void *);

static char stubs[16], stream;
static CUfunction functions[KERNELS];
static void *acl_functions[KERNELS];
static int (*operators[KERNELS])(void *, uint64_t, void *, void *);
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

static void cuda_launch(int n)
{
	for (int i = 0; i < n; i++)
		cudaLaunchKernel(&stubs[i % KERNELS], (dim3){ 64, 1, 1 }, (dim3){ 256, 1, 1 }, NULL, 0, NULL);
}

static void cuda_launch_by_nvcc_13(int n)
{
	for (int i = 0; i < n; i++)
		__cudaLaunchKernel((cudaKernel_t)&stubs[i % KERNELS], (dim3){ 64, 1, 1 }, (dim3){ 256, 1, 1 }, NULL, 0, NULL);
}

static void cuda_launch_by_a_structure(int n)
{
	const cudaLaunchConfig_t config = { .gridDim = { 64, 1, 1 }, .blockDim = { 256, 1, 1 } };

	for (int i = 0; i < n; i++)
		cudaLaunchKernelExC(&config, &stubs[i % KERNELS], NULL);
}

static void cuda_launch_by_the_driver(int n)
{
	for (int i = 0; i < n; i++)
		cuLaunchKernel(functions[i % KERNELS], 64, 1, 1, 256, 1, 1, 0, NULL, NULL, NULL);
}

static void cuda_launch_by_the_driver_s_structure(int n)
{
	const CUlaunchConfig config = { .gridDimX = 64, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 256, .blockDimY = 1, .blockDimZ = 1 };

	for (int i = 0; i < n; i++)
		cuLaunchKernelEx(&config, functions[i % KERNELS], NULL, NULL);
}

static void cuda_copy(int n)
{
	static char memory[64];

	for (int i = 0; i < n; i++)
		cudaMemcpyAsync(memory, memory, sizeof(memory), 1, NULL);
}

/* As a library does when it is loaded. */
static void cuda_registration(int n)
{
	static char more[4 * CALLS], *next = more;

	for (int i = 0; i < n; i++)
		__cudaRegisterFunction((void **)more, next++, more, "layer_forward", -1, NULL, NULL, NULL, NULL, NULL);
}

/* From here on there is another major. What is linked goes on to its own, what is opened has a way in of its own. */
static void *other(const char *name)
{
	static void *library;

	if (!library)
		library = dlopen("libcudart.so.12", RTLD_NOW);
	return name ? dlsym(library, name) : NULL;
}

static void cuda_copy_beside_another_major(int n)
{
	other(NULL);
	cuda_copy(n);
}

static void cuda_launch_beside_another_major(int n)
{
	other(NULL);
	cuda_launch(n);
}

static void cuda_launch_of_another_major(int n)
{
	static __typeof__(cudaLaunchKernel) *its;

	if (!its)
		its = (__typeof__(its))other("cudaLaunchKernel");
	for (int i = 0; i < n; i++)
		its(&stubs[i % KERNELS], (dim3){ 64, 1, 1 }, (dim3){ 256, 1, 1 }, NULL, 0, NULL);
}

/* Behind all others, so that these are what they were before it. */
static void find_ascend(void)
{
	void *library = operators[0] ? NULL : dlopen("libopapi.so", RTLD_NOW);
	char name[64];

	for (int i = 0; library && i < KERNELS; i++) {
		aclrtBinaryGetFunction(NULL, &"layer_forward_of_a_binary"[i], &acl_functions[i]);
		snprintf(name, sizeof(name), "aclnnBench%d", i);
		operators[i] = (__typeof__(operators[i]))dlsym(library, name);
	}
}

static void ascend_launch(int n)
{
	find_ascend();
	for (int i = 0; i < n; i++)
		aclrtLaunchKernel(acl_functions[i % KERNELS], 24, NULL, 0, &stream);
}

static void ascend_copy(int n)
{
	static char memory[64];

	for (int i = 0; i < n; i++)
		aclrtMemcpyAsync(memory, sizeof(memory), memory, sizeof(memory), 1, &stream);
}

/* The phase that gives the stream its work, looked up as PyTorch for Ascend does. */
static void ascend_operator(int n)
{
	static char workspace, executors[KERNELS];

	for (int i = 0; i < n; i++)
		operators[i % KERNELS](&workspace, 4096, &executors[i % KERNELS], &stream);
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
	{ "cuda_launch", cuda_launch },
	{ "cuda_launch_by_nvcc_13", cuda_launch_by_nvcc_13 },
	{ "cuda_launch_by_a_structure", cuda_launch_by_a_structure },
	{ "cuda_launch_by_the_driver", cuda_launch_by_the_driver },
	{ "cuda_launch_by_the_driver_s_structure", cuda_launch_by_the_driver_s_structure },
	{ "cuda_copy", cuda_copy },
	{ "cuda_registration", cuda_registration },
	{ "cuda_copy_beside_another_major", cuda_copy_beside_another_major },
	{ "cuda_launch_beside_another_major", cuda_launch_beside_another_major },
	{ "cuda_launch_of_another_major", cuda_launch_of_another_major },
	{ "ascend_launch", ascend_launch },
	{ "ascend_copy", ascend_copy },
	{ "ascend_operator", ascend_operator },
};

int main(void)
{
	char name[64];

	queue = clCreateCommandQueue(NULL, NULL, 0, NULL);
	for (int i = 0; i < KERNELS; i++) {
		snprintf(name, sizeof(name), "layer_%d_forward", i);
		kernels[i] = clCreateKernel(NULL, name, NULL);
	}
	__cudaRegisterFatBinary(stubs);
	for (int i = 0; i < KERNELS; i++)
		__cudaRegisterFunction((void **)stubs, &stubs[i], stubs, "layer_forward", -1, NULL, NULL, NULL, NULL, NULL);
	for (int i = 0; i < KERNELS; i++)
		cuModuleGetFunction(&functions[i], NULL, &"layer_forward_of_a_module"[i]);
	for (size_t i = 0; i < sizeof(sorts) / sizeof(*sorts); i++) {
		aclrtSynchronizeStream(&stream);
		cudaDeviceSynchronize(); /* no device time of another sort is still to be read */
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
