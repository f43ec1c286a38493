/* driver.c - the GPU by the driver, on the road that called.h says. */
#include "tests/sims/cuda/train/called.h"
#include "tests/sims/cuda/train/gpu.h"
#include <stdlib.h>

static CUstream streams[STREAMS] = { [LEGACY] = (void *)1, [THREAD] = (void *)2 };
static CUcontext context;
static CUmodule module;
static CUlibrary library;
static CUfunction functions[KERNELS];
static CUkernel other[KERNELS];
static CUgraph graph;
static CUgraphExec exec;
#define ADDRESS(memory) ((CUdeviceptr)(memory))

__attribute__((constructor)) static void printing(void)
{
	atexit(called_print);
}

/* ---- launches: OLD is one of a library, by its kernel's handle; as Triton does it each one has a configuration ---- */

static void configured(CUfunction f, enum stream stream, void **params)
{
	CUlaunchConfig config = { .gridDimX = 2, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 32, .blockDimY = 1, .blockDimZ = 1, .sharedMemBytes = 256, .hStream = streams[stream] };

	check(CALL_EX(cuLaunchKernelEx, &config, f, params, NULL), "cuLaunchKernelEx", 0);
}

void gpu_launch(enum kernel kernel, enum way way, enum stream stream, void **params)
{
#ifdef BY_TRITON
	way = CONFIG;
#endif
	switch (way) {
	case PLAIN: OK(cuLaunchKernel, functions[kernel], 2, 1, 1, 32, 1, 1, 256, streams[stream], params, NULL); break;
	case OLD: OK(cuLaunchKernel, other[kernel], 2, 1, 1, 32, 1, 1, 256, streams[stream], params, NULL); break;
	case CONFIG: configured(functions[kernel], stream, params); break;
	case COOPERATIVE: OK(cuLaunchCooperativeKernel, functions[kernel], 2, 1, 1, 32, 1, 1, 256, streams[stream], params); break;
	}
}

void gpu_launch_nothing(void)
{
	check(CALL(cuLaunchKernel, NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), "a launch of nothing", SIM_ERROR_INVALID_HANDLE);
}

void gpu_host(enum stream stream, void (*function)(void *), void *data)
{
	OK(cuLaunchHostFunc, streams[stream], function, data);
}

/* ---- memory ---- */

void *gpu_alloc(size_t size)
{
	CUdeviceptr memory;

	OK(cuMemAlloc_v2, &memory, size);
	return (void *)memory;
}

void gpu_free(void *memory)
{
	OK(cuMemFree_v2, ADDRESS(memory));
}

void *gpu_alloc_host(size_t size)
{
	void *memory;

	OK(cuMemHostAlloc, &memory, size, 0);
	return memory;
}

void gpu_free_host(void *memory)
{
	OK(cuMemFreeHost, memory);
}

static void virtual(size_t size)
{
	CUmemGenericAllocationHandle_v1 handle;
	CUdeviceptr address;

	OK(cuMemAddressReserve, &address, 2 * size, 0, 0, 0);
	OK(cuMemCreate, &handle, size, NULL, 0);
	OK(cuMemMap, address, size, 0, handle, 0);
	OK(cuMemSetAccess, address, size, NULL, 0);
	*(volatile char *)address = 1;
	OK(cuMemUnmap, address, size);
	OK(cuMemRelease, handle);
	OK(cuMemAddressFree, address, 2 * size);
}

void gpu_memory(enum stream stream, size_t size)
{
	CUdeviceptr memory;
	size_t left, all;

	OK(cuMemAllocAsync, &memory, size, streams[stream]);
	OK(cuMemFreeAsync, memory, streams[stream]);
	OK(cuMemAllocManaged, &memory, size, 1);
	gpu_free((void *)memory);
	gpu_free_host(gpu_alloc_host(size));
	gpu_free(gpu_alloc(size));
	virtual(2 << 20);
	OK(cuMemGetInfo_v2, &left, &all);
	check(CALL(cuMemAlloc_v2, &memory, all + 1), "too much", SIM_ERROR_OUT_OF_MEMORY);
}

/* ---- copies and fills ---- */

void gpu_in(void *to, const void *from, size_t size, enum stream stream)
{
	OK(cuMemcpyHtoDAsync_v2, ADDRESS(to), from, size, streams[stream]);
}

void gpu_out(void *to, const void *from, size_t size)
{
	OK(cuMemcpyDtoH_v2, to, ADDRESS(from), size);
}

void gpu_between(void *to, const void *from, size_t size, enum stream stream)
{
	OK(cuMemcpyDtoDAsync_v2, ADDRESS(to), ADDRESS(from), size, streams[stream]);
}

void gpu_rectangle(void *to, const void *from, size_t width, size_t height, enum stream stream)
{
	CUDA_MEMCPY2D_v2 c = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = ADDRESS(from), .srcPitch = 2 * width, .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = ADDRESS(to), .dstPitch = 2 * width, .WidthInBytes = width, .Height = height };

	OK(cuMemcpy2DAsync_v2, &c, streams[stream]);
}

void gpu_fill(void *to, int value, size_t size, enum stream stream)
{
	if (stream == NONE)
		OK(cuMemsetD8_v2, ADDRESS(to), (unsigned char)value, size);
	else
		OK(cuMemsetD32Async, ADDRESS(to), (unsigned int)value, size / 4, streams[stream]);
}

/* ---- waiting ---- */

void gpu_wait(enum stream stream)
{
	OK(cuStreamSynchronize, streams[stream]);
	OK(cuStreamQuery, streams[stream]);
}

void gpu_wait_all(void)
{
	OK(cuCtxSynchronize);
}

void gpu_events(void (*between)(void), float *ms, bool *complete)
{
	CUevent first, second;

	OK(cuEventCreate, &first, 0);
	OK(cuEventCreate, &second, 0);
	OK(cuEventRecord, first, streams[OWN]);
	between();
	OK(cuEventRecord, second, streams[OWN]);
	OK(cuEventSynchronize, second);
	*complete = !CALL(cuEventQuery, second);
	OK(cuEventElapsedTime, ms, first, second);
	OK(cuEventDestroy_v2, first);
	OK(cuEventDestroy_v2, second);
}

void gpu_fork(void (*on_side)(void))
{
	CUevent fork, join;

	OK(cuEventCreate, &fork, SIM_EVENT_NO_TIMING);
	OK(cuEventCreate, &join, SIM_EVENT_NO_TIMING);
	OK(cuEventRecord, fork, streams[OWN]);
	OK(cuStreamWaitEvent, streams[SIDE], fork, 0);
	on_side();
	OK(cuEventRecord, join, streams[SIDE]);
	OK(cuStreamWaitEvent, streams[OWN], join, 0);
	OK(cuEventDestroy_v2, fork);
	OK(cuEventDestroy_v2, join);
}

/* ---- a graph ---- */

void gpu_capture(void (*work)(void))
{
	int status = -1;

	OK(cuStreamBeginCapture_v2, streams[OWN], SIM_MODE_THREAD_LOCAL);
	work();
	OK(cuStreamIsCapturing, streams[SIDE], &status);
	check(status, "the side's state", SIM_CAPTURE_ACTIVE);
	OK(cuStreamEndCapture, streams[OWN], &graph);
	OK(cuGraphInstantiateWithFlags, &exec, graph, 0);
}

void gpu_replay(enum stream stream)
{
	OK(cuGraphLaunch, exec, streams[stream]);
}

int gpu_nodes(void)
{
	CUgraphNode nodes[16];
	size_t n = 16;
	int found = 0;

	OK(cuGraphGetNodes, graph, nodes, &n);
	for (size_t i = 0; i < n; i++) {
		struct sim_node_v2 params;
		int type = -1;

		OK(cuGraphNodeGetType, nodes[i], &type);
		if (type != SIM_NODE_KERNEL)
			continue;
		OK(cuGraphKernelNodeGetParams_v2, nodes[i], (void *)&params);
		found += params.func == functions[ADD];
	}
	return (int)n * 100 + found;
}

/* ---- begin and end ---- */

void *gpu_stream(enum stream stream)
{
	return streams[stream];
}

void gpu_start(void)
{
	CUdevice device;

	OK(cuInit, 0);
	OK(cuDeviceGet, &device, 0);
	OK(cuCtxCreate_v2, &context, 0, device);
	OK(cuModuleLoadData, &module, &kernels);
	OK(cuLibraryLoadData, &library, &kernels, NULL, NULL, 0, NULL, NULL, 0);
	for (int i = 0; i < KERNELS; i++) {
		OK(cuModuleGetFunction, &functions[i], module, kernel_names[i]);
		OK(cuLibraryGetKernel, &other[i], library, kernel_names[i]);
	}
	OK(cuStreamCreate, &streams[OWN], SIM_STREAM_NON_BLOCKING);
	OK(cuStreamCreateWithPriority, &streams[SIDE], SIM_STREAM_NON_BLOCKING, -1);
}

void gpu_end(void)
{
	OK(cuGraphExecDestroy, exec);
	OK(cuGraphDestroy, graph);
	OK(cuModuleUnload, module);
	OK(cuLibraryUnload, library);
	OK(cuStreamDestroy_v2, streams[OWN]);
	OK(cuStreamDestroy_v2, streams[SIDE]);
	OK(cuCtxDestroy_v2, context);
}
