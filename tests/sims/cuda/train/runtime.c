/*
 * runtime.c - the GPU by the runtime, as nvcc makes it of <<<>>> (host_runtime.h of crt 13.5): a constructor registers the
 * fat binary, a function of the program stands for each kernel, and PER_THREAD is -default-stream per-thread.
 */
#if defined(PER_THREAD) && !defined(BY_HIP)
#define __cudaLaunchKernel	    __cudaLaunchKernel_ptsz
#define cudaEventRecord		    cudaEventRecord_ptsz
#define cudaFreeAsync		    cudaFreeAsync_ptsz
#define cudaGraphLaunch		    cudaGraphLaunch_ptsz
#define cudaLaunchCooperativeKernel cudaLaunchCooperativeKernel_ptsz
#define cudaLaunchHostFunc	    cudaLaunchHostFunc_ptsz
#define cudaLaunchKernel	    cudaLaunchKernel_ptsz
#define cudaLaunchKernelExC	    cudaLaunchKernelExC_ptsz
#define cudaMallocAsync		    cudaMallocAsync_ptsz
#define cudaMemcpy		    cudaMemcpy_ptds
#define cudaMemcpy2DAsync	    cudaMemcpy2DAsync_ptsz
#define cudaMemcpyAsync		    cudaMemcpyAsync_ptsz
#define cudaMemset		    cudaMemset_ptds
#define cudaMemsetAsync		    cudaMemsetAsync_ptsz
#define cudaStreamBeginCapture	    cudaStreamBeginCapture_ptsz
#define cudaStreamEndCapture	    cudaStreamEndCapture_ptsz
#define cudaStreamIsCapturing	    cudaStreamIsCapturing_ptsz
#define cudaStreamQuery		    cudaStreamQuery_ptsz
#define cudaStreamSynchronize	    cudaStreamSynchronize_ptsz
#define cudaStreamWaitEvent	    cudaStreamWaitEvent_ptsz
#endif
#include "tests/sims/cuda/train/called.h"
#include "tests/sims/cuda/train/gpu.h"
#include <stdlib.h>

enum { HOST_TO_DEVICE = 1,
       DEVICE_TO_HOST,
       DEVICE_TO_DEVICE };

static cudaStream_t streams[STREAMS] = { [LEGACY] = (void *)1, [THREAD] = (void *)2 };
static cudaGraph_t graph;
static cudaGraphExec_t exec;

/* ---- registering ---- */

static const struct sim_fat_binary fat __attribute__((section(".nvFatBinSegment"), used)) = { SIM_FAT_BINARY, 1, &kernels, NULL };
static const char stubs[KERNELS][16]; /* their addresses stand for the kernels */
static void **handle;

static void unregister(void)
{
	CALL(__cudaUnregisterFatBinary, handle);
}

__attribute__((constructor)) static void registering(void)
{
	atexit(called_print); /* after all else */
	handle = CALL(__cudaRegisterFatBinary, (void *)&fat);
	for (int i = 0; i < KERNELS; i++)
		CALL(__cudaRegisterFunction, handle, stubs[i], (char *)stubs[i], kernel_names[i], -1, NULL, NULL, NULL, NULL, NULL);
#ifndef BY_HIP
	CALL(__cudaRegisterFatBinaryEnd, handle);
#endif
	atexit(unregister);
}

/* ---- launches ---- */

static const dim3 grid = { 2, 1, 1 }, block = { 32, 1, 1 };

/* What stands before the parentheses, and the stub that it calls. */
static void configured(enum stream stream, dim3 *g, dim3 *b, size_t *shared, cudaStream_t *its)
{
	OK(__cudaPushCallConfiguration, grid, block, 256, streams[stream]);
	OK(__cudaPopCallConfiguration, g, b, shared, its);
}

#ifdef BY_HIP
#include "tests/sims/hip/train/launches.h"
#else
static void plain(enum kernel kernel, enum stream stream, void **params)
{
	static cudaKernel_t known[KERNELS]; /* once for each stub */
	dim3 g, b;
	size_t shared;
	cudaStream_t its;

	OK(__cudaPushCallConfiguration, grid, block, 256, streams[stream]);
	if (!known[kernel])
		OK(__cudaGetKernel, &known[kernel], stubs[kernel]);
	OK(__cudaPopCallConfiguration, &g, &b, &shared, &its);
	OK(__cudaLaunchKernel, known[kernel], g, b, params, shared, its);
}

static void by_config(enum kernel kernel, enum stream stream, void **params)
{
	cudaLaunchConfig_t config = { .gridDim = grid, .blockDim = block, .dynamicSmemBytes = 128, .stream = streams[stream] };

	OK(cudaLaunchKernelExC, &config, stubs[kernel], params);
}
#endif

void gpu_launch(enum kernel kernel, enum way way, enum stream stream, void **params)
{
	dim3 g, b;
	size_t shared;
	cudaStream_t its;

	switch (way) {
	case PLAIN: plain(kernel, stream, params); break;
	case OLD:
		configured(stream, &g, &b, &shared, &its);
		OK(cudaLaunchKernel, stubs[kernel], g, b, params, shared, its);
		break;
	case CONFIG: by_config(kernel, stream, params); break;
	case COOPERATIVE: OK(cudaLaunchCooperativeKernel, stubs[kernel], grid, block, params, 64, streams[stream]); break;
	}
}

void gpu_launch_nothing(void)
{
	(void)ROAD(cudaPeekAtLastError), (void)ROAD(cudaGetLastError); /* to look them up is a call, too */
	check(CALL(cudaLaunchKernel, "none", grid, block, NULL, 0, NULL), "a launch of nothing", SIM_ERROR_INVALID_FUNCTION);
	check(CALL(cudaPeekAtLastError), "the last error", SIM_ERROR_INVALID_FUNCTION);
	check(CALL(cudaGetLastError), "the last error, and no more", SIM_ERROR_INVALID_FUNCTION);
	OK(cudaGetLastError);
}

void gpu_host(enum stream stream, void (*function)(void *), void *data)
{
	OK(cudaLaunchHostFunc, streams[stream], function, data);
}

/* ---- memory ---- */

void *gpu_alloc(size_t size)
{
	void *memory;

	OK(cudaMalloc, &memory, size);
	return memory;
}

void gpu_free(void *memory)
{
	OK(cudaFree, memory);
}

void *gpu_alloc_host(size_t size)
{
	void *memory;

	OK(cudaHostAlloc, &memory, size, 0);
	return memory;
}

void gpu_free_host(void *memory)
{
	OK(cudaFreeHost, memory);
}

void gpu_memory(enum stream stream, size_t size)
{
	void *memory;
	size_t left, all;

	OK(cudaMallocAsync, &memory, size, streams[stream]);
	OK(cudaFreeAsync, memory, streams[stream]);
	OK(cudaMallocManaged, &memory, size, 1);
	OK(cudaFree, memory);
	OK(cudaMallocHost, &memory, size);
	OK(cudaFreeHost, memory);
	gpu_free(gpu_alloc(size));
	OK(cudaMemGetInfo, &left, &all);
	check(CALL(cudaMalloc, &memory, all + 1), "too much", SIM_ERROR_OUT_OF_MEMORY);
	check(CALL(cudaGetLastError), "the last error", SIM_ERROR_OUT_OF_MEMORY);
}

/* ---- copies and fills ---- */

void gpu_in(void *to, const void *from, size_t size, enum stream stream)
{
	OK(cudaMemcpyAsync, to, from, size, HOST_TO_DEVICE, streams[stream]);
}

void gpu_out(void *to, const void *from, size_t size)
{
	OK(cudaMemcpy, to, from, size, DEVICE_TO_HOST);
}

void gpu_between(void *to, const void *from, size_t size, enum stream stream)
{
	OK(cudaMemcpyAsync, to, from, size, DEVICE_TO_DEVICE, streams[stream]);
}

void gpu_rectangle(void *to, const void *from, size_t width, size_t height, enum stream stream)
{
	OK(cudaMemcpy2DAsync, to, 2 * width, from, 2 * width, width, height, DEVICE_TO_DEVICE, streams[stream]);
}

void gpu_fill(void *to, int value, size_t size, enum stream stream)
{
	if (stream == NONE)
		OK(cudaMemset, to, value, size);
	else
		OK(cudaMemsetAsync, to, value, size, streams[stream]);
}

/* ---- waiting ---- */

void gpu_wait(enum stream stream)
{
	OK(cudaStreamSynchronize, streams[stream]);
	OK(cudaStreamQuery, streams[stream]);
}

void gpu_wait_all(void)
{
	OK(cudaDeviceSynchronize);
}

void gpu_events(void (*between)(void), float *ms, bool *complete)
{
	cudaEvent_t first, second;

	OK(cudaEventCreate, &first);
	OK(cudaEventCreateWithFlags, &second, 0);
	OK(cudaEventRecord, first, streams[OWN]);
	between();
	OK(cudaEventRecord, second, streams[OWN]);
	OK(cudaEventSynchronize, second);
	*complete = !CALL(cudaEventQuery, second);
	OK(cudaEventElapsedTime, ms, first, second);
	OK(cudaEventDestroy, first);
	OK(cudaEventDestroy, second);
}

void gpu_fork(void (*on_side)(void))
{
	cudaEvent_t fork, join;

	OK(cudaEventCreateWithFlags, &fork, SIM_EVENT_NO_TIMING);
	OK(cudaEventCreateWithFlags, &join, SIM_EVENT_NO_TIMING);
	OK(cudaEventRecord, fork, streams[OWN]);
	OK(cudaStreamWaitEvent, streams[SIDE], fork, 0);
	on_side();
	OK(cudaEventRecord, join, streams[SIDE]);
	OK(cudaStreamWaitEvent, streams[OWN], join, 0);
	OK(cudaEventDestroy, fork);
	OK(cudaEventDestroy, join);
}

/* ---- a graph ---- */

void gpu_capture(void (*work)(void))
{
	int status = -1;

	OK(cudaStreamBeginCapture, streams[OWN], SIM_MODE_THREAD_LOCAL);
	work();
	OK(cudaStreamIsCapturing, streams[SIDE], &status);
	check(status, "the side's state", SIM_CAPTURE_ACTIVE);
	OK(cudaStreamEndCapture, streams[OWN], &graph);
	OK(cudaGraphInstantiate, &exec, graph, 0);
}

void gpu_replay(enum stream stream)
{
	OK(cudaGraphLaunch, exec, streams[stream]);
}

int gpu_nodes(void)
{
	cudaGraphNode_t nodes[16];
	size_t n = 16;
	int found = 0;

	OK(cudaGraphGetNodes, graph, nodes, &n);
	for (size_t i = 0; i < n; i++) {
		struct sim_node_rt params;
		int type = -1;

		OK(cudaGraphNodeGetType, nodes[i], &type);
		if (type != SIM_NODE_KERNEL)
			continue;
		OK(cudaGraphKernelNodeGetParams, nodes[i], (void *)&params);
		found += params.func == stubs[ADD];
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
	int devices = 0;

	OK(cudaGetDeviceCount, &devices);
	OK(cudaSetDevice, 0);
	OK(cudaStreamCreateWithFlags, &streams[OWN], SIM_STREAM_NON_BLOCKING);
	OK(cudaStreamCreateWithPriority, &streams[SIDE], SIM_STREAM_NON_BLOCKING, -1);
}

void gpu_end(void)
{
	OK(cudaGraphExecDestroy, exec);
	OK(cudaGraphDestroy, graph);
	OK(cudaStreamDestroy, streams[OWN]);
	OK(cudaStreamDestroy, streams[SIDE]);
}
