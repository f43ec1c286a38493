/* driver.c - gpu.h by the driver, opened: BY_DLSYM, or BY_RESOLVER. */
#include "tests/gpu/gpu.h"
#include "tests/gpu/kernels.h"
#include "tests/sims/cuda/train/called.h"
#include <dlfcn.h>

static CUdevice device;
static CUmodule module;
static CUfunction add, spin;
static CUstream own, streams[] = { NULL, NULL, (void *)1, (void *)2 }; /* own, the default one, which stands for all, and a thread's */
static CUdeviceptr values, before;
static CUgraph graph;
static CUgraphExec exec;
static unsigned int n = FLOATS;
static float one = 1;

int gpu_start(void)
{
	CUcontext context;
	int devices = 0;

	if (!dlopen("libcuda.so.1", RTLD_LAZY) || CALL(cuInit, 0) || CALL(cuDeviceGetCount, &devices) || !devices)
		return 0;
	OK(cuDeviceGet, &device, 0);
	OK(cuDevicePrimaryCtxRetain, &context, device);
	OK(cuCtxSetCurrent, context);
	OK(cuModuleLoadData, &module, ptx);
	OK(cuModuleGetFunction, &add, module, "add");
	OK(cuModuleGetFunction, &spin, module, "spin");
	OK(cuStreamCreate, &own, SIM_STREAM_NON_BLOCKING);
	streams[0] = own;
	OK(cuMemAlloc_v2, &values, SIZE);
	OK(cuMemAlloc_v2, &before, SIZE);
	return 1;
}

int gpu_has_kernels(void)
{
	return 1;
}

static void launch(CUstream stream)
{
	OK(cuLaunchKernel, add, BLOCKS, 1, 1, 256, 1, 1, 0, stream, (void *[]){ &values, &one, &n }, NULL);
}

static void launch_by_config(void)
{
	CUlaunchConfig config = { .gridDimX = BLOCKS, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 256, .blockDimY = 1, .blockDimZ = 1, .hStream = own };

	OK(cuLaunchKernelEx, &config, add, (void *[]){ &values, &one, &n }, NULL);
}

void gpu_fill(void)
{
	OK(cuMemsetD8_v2, before, 1, SIZE);
	OK(cuMemsetD32Async, before, 2, FLOATS, own);
	OK(cuMemcpyHtoD_v2, values, host, SIZE);
	OK(cuCtxSynchronize);
}

void gpu_capture(void)
{
	OK(cuStreamBeginCapture_v2, own, SIM_MODE_THREAD_LOCAL);
	for (int i = 0; i < IN_GRAPH; i++)
		launch(own);
	OK(cuMemsetD32Async, before, 0, FLOATS, own);
	OK(cuStreamEndCapture, own, &graph);
	OK(cuGraphInstantiateWithFlags, &exec, graph, 0);
}

/* Where the default streams wait for nobody, they are waited for. */
void gpu_step(void)
{
	for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++) {
		launch(streams[i]);
		OK(cuStreamSynchronize, streams[i]);
	}
	launch_by_config();
	for (int i = 0; i < REPLAYS; i++)
		OK(cuGraphLaunch, exec, own);
	OK(cuMemcpyDtoDAsync_v2, before, values, SIZE, own);
	OK(cuMemcpyDtoHAsync_v2, host, before, SIZE, own);
	OK(cuStreamSynchronize, own);
	OK(cuMemcpyHtoDAsync_v2, values, host, SIZE, own);
	OK(cuStreamSynchronize, own);
}

float gpu_spins(void)
{
	uint64_t ns = SPIN_NS;
	CUevent first, last;
	float ms = -1;

	OK(cuEventCreate, &first, 0);
	OK(cuEventCreate, &last, 0);
	OK(cuEventRecord, first, own);
	for (int i = 0; i < SPINS; i++)
		OK(cuLaunchKernel, spin, 1, 1, 1, 1, 1, 1, 0, own, (void *[]){ &ns }, NULL);
	OK(cuEventRecord, last, own);
	OK(cuEventSynchronize, last);
	OK(cuEventElapsedTime, &ms, first, last);
	OK(cuEventDestroy_v2, first);
	OK(cuEventDestroy_v2, last);
	return ms;
}

void gpu_read(void)
{
	OK(cuMemcpyDtoH_v2, host, values, SIZE);
}

void gpu_end(void)
{
	OK(cuGraphExecDestroy, exec);
	OK(cuGraphDestroy, graph);
	OK(cuMemFree_v2, values);
	OK(cuMemFree_v2, before);
	OK(cuStreamDestroy_v2, own);
	OK(cuModuleUnload, module);
}
