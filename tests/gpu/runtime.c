/*
 * runtime.c - gpu.h by the runtime that GPU_LIBRARY names, opened, or (LINKED) by one that is in the program. Of one without libraries of
 * kernels (before 12.8) all but kernels.
 */
#include "tests/gpu/gpu.h"
#include "tests/gpu/kernels.h"
#include "tests/sims/cuda/train/called.h"
#include <dlfcn.h>
#include <stdlib.h>

enum { TO_DEVICE = 1,
       TO_HOST,
       ON_DEVICE };

static cudaLibrary_t library;
static cudaKernel_t add, spin;
static cudaStream_t own, streams[] = { NULL, NULL, (void *)1, (void *)2 }; /* own, the default one, which stands for all, and a thread's */
static float *values, *before;
static cudaGraph_t graph;
static cudaGraphExec_t exec;
static int has_kernels, by_kernel; /* by_kernel: launches as nvcc 13 makes them */
static unsigned int n = FLOATS;
static float one = 1;

#ifdef LINKED
static int open_runtime(void)
{
	return has_kernels = by_kernel = 1;
}
#else
static int open_runtime(void)
{
	void *runtime = dlopen(getenv("GPU_LIBRARY"), RTLD_LAZY);

	has_kernels = runtime && dlsym(runtime, "cudaLibraryLoadData");
	by_kernel = runtime && dlsym(runtime, "__cudaLaunchKernel");
	return runtime != NULL;
}
#endif

int gpu_start(void)
{
	int devices = 0;

	if (!open_runtime() || CALL(cudaGetDeviceCount, &devices) || !devices)
		return 0;
	if (has_kernels) {
		OK(cudaLibraryLoadData, &library, ptx, NULL, NULL, 0, NULL, NULL, 0);
		OK(cudaLibraryGetKernel, &add, library, "add");
		OK(cudaLibraryGetKernel, &spin, library, "spin");
	}
	OK(cudaStreamCreateWithFlags, &own, SIM_STREAM_NON_BLOCKING);
	streams[0] = own;
	OK(cudaMalloc, (void **)&values, SIZE);
	OK(cudaMalloc, (void **)&before, SIZE);
	return 1;
}

int gpu_has_kernels(void)
{
	return has_kernels;
}

static void launch(cudaKernel_t kernel, unsigned int blocks, unsigned int threads, void **args, cudaStream_t stream)
{
	dim3 grid = { blocks, 1, 1 }, block = { threads, 1, 1 };

	if (has_kernels && by_kernel)
		OK(__cudaLaunchKernel, kernel, grid, block, args, 0, stream);
	else if (has_kernels)
		OK(cudaLaunchKernel, kernel, grid, block, args, 0, stream);
}

static void launch_add(cudaStream_t stream)
{
	launch(add, BLOCKS, 256, (void *[]){ &values, &one, &n }, stream);
}

static void launch_by_config(void)
{
	cudaLaunchConfig_t config = { .gridDim = { BLOCKS, 1, 1 }, .blockDim = { 256, 1, 1 }, .stream = own };

	if (has_kernels)
		OK(cudaLaunchKernelExC, &config, add, (void *[]){ &values, &one, &n });
}

void gpu_fill(void)
{
	OK(cudaMemset, before, 1, SIZE);
	OK(cudaMemsetAsync, before, 2, SIZE, own);
	OK(cudaMemcpy, values, host, SIZE, TO_DEVICE);
	OK(cudaDeviceSynchronize);
}

void gpu_capture(void)
{
	OK(cudaStreamBeginCapture, own, SIM_MODE_THREAD_LOCAL);
	for (int i = 0; i < IN_GRAPH; i++)
		launch_add(own);
	OK(cudaMemsetAsync, before, 0, SIZE, own);
	OK(cudaStreamEndCapture, own, &graph);
	OK(cudaGraphInstantiateWithFlags, &exec, graph, 0);
}

void gpu_step(void)
{
	for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++) {
		launch_add(streams[i]);
		OK(cudaStreamSynchronize, streams[i]);
	}
	launch_by_config();
	for (int i = 0; i < REPLAYS; i++)
		OK(cudaGraphLaunch, exec, own);
	OK(cudaMemcpyAsync, before, values, SIZE, ON_DEVICE, own);
	OK(cudaMemcpyAsync, host, before, SIZE, TO_HOST, own);
	OK(cudaStreamSynchronize, own);
	OK(cudaMemcpyAsync, values, host, SIZE, TO_DEVICE, own);
	OK(cudaStreamSynchronize, own);
}

float gpu_spins(void)
{
	uint64_t ns = SPIN_NS;
	cudaEvent_t first, last;
	float ms = -1;

	OK(cudaEventCreate, &first);
	OK(cudaEventCreate, &last);
	OK(cudaEventRecord, first, own);
	for (int i = 0; i < SPINS; i++)
		launch(spin, 1, 1, (void *[]){ &ns }, own);
	OK(cudaEventRecord, last, own);
	OK(cudaEventSynchronize, last);
	OK(cudaEventElapsedTime, &ms, first, last);
	OK(cudaEventDestroy, first);
	OK(cudaEventDestroy, last);
	return ms;
}

void gpu_read(void)
{
	OK(cudaMemcpy, host, values, SIZE, TO_HOST);
}

void gpu_end(void)
{
	OK(cudaGraphExecDestroy, exec);
	OK(cudaGraphDestroy, graph);
	OK(cudaFree, values);
	OK(cudaFree, before);
	OK(cudaStreamDestroy, own);
	if (has_kernels)
		OK(cudaLibraryUnload, library);
}
