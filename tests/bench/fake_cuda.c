/* fake_cuda.c - a runtime and a driver of CUDA in one, which do nothing: for counting what a call costs more. */
#include "hooks/cuda/abi/abi.h"

#define PASSES __attribute__((visibility("default"), noinline))

PASSES cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem, cudaStream_t stream);
PASSES cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem, cudaStream_t stream);
PASSES cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args);
PASSES cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, int kind, cudaStream_t stream);
PASSES cudaError_t cudaDeviceSynchronize(void);
PASSES void **__cudaRegisterFatBinary(void *binary);
PASSES void __cudaRegisterFunction(void **handle, const char *stub, char *name, const char *device, int limit, void *a, void *b, void *c, void *d,
				   int *e);

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem, cudaStream_t stream)
{
	(void)func, (void)gridDim, (void)blockDim, (void)args, (void)sharedMem, (void)stream;
	return 0;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem, cudaStream_t stream)
{
	(void)kernel, (void)gridDim, (void)blockDim, (void)args, (void)sharedMem, (void)stream;
	return 0;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
	(void)config, (void)func, (void)args;
	return 0;
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, int kind, cudaStream_t stream)
{
	(void)dst, (void)src, (void)count, (void)kind, (void)stream;
	return 0;
}

cudaError_t cudaDeviceSynchronize(void)
{
	return 0;
}

void **__cudaRegisterFatBinary(void *binary)
{
	return binary;
}

void __cudaRegisterFunction(void **handle, const char *stub, char *name, const char *device, int limit, void *a, void *b, void *c, void *d, int *e)
{
	(void)handle, (void)stub, (void)name, (void)device, (void)limit, (void)a, (void)b, (void)c, (void)d, (void)e;
}

/* ---- the driver's own launch, and who gives it out ---- */

PASSES CUresult cuLaunchKernel(CUfunction f, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX, unsigned int blockY,
			       unsigned int blockZ, unsigned int shared, CUstream stream, void **params, void **extra);
PASSES CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **params, void **extra);
PASSES CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
PASSES CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *found);

CUresult cuLaunchKernel(CUfunction f, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX, unsigned int blockY,
			unsigned int blockZ, unsigned int shared, CUstream stream, void **params, void **extra)
{
	(void)f, (void)gridX, (void)gridY, (void)gridZ, (void)blockX, (void)blockY, (void)blockZ, (void)shared, (void)stream, (void)params, (void)extra;
	return 0;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **params, void **extra)
{
	(void)config, (void)f, (void)params, (void)extra;
	return 0;
}

/* A kernel a name. */
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	(void)module;
	*function = (CUfunction)(uintptr_t)name;
	return 0;
}

CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *found)
{
	(void)symbol, (void)version, (void)flags, (void)found;
	*pfn = (void *)cuLaunchKernel;
	return 0;
}

/* ---- what the driver is asked for device times and the context ---- */

PASSES CUresult cuCtxGetCurrent(CUcontext *context);
PASSES CUresult cuCtxGetDevice(int *device);
PASSES CUresult cuEventCreate(CUevent *event, unsigned int flags);
PASSES CUresult cuEventDestroy_v2(CUevent event);
PASSES CUresult cuEventRecord(CUevent event, CUstream stream);
PASSES CUresult cuEventQuery(CUevent event);
PASSES CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to);
PASSES CUresult cuStreamIsCapturing(CUstream stream, int *status);

CUresult cuCtxGetCurrent(CUcontext *context)
{
	static int one;

	*context = (CUcontext)&one;
	return 0;
}

CUresult cuCtxGetDevice(int *device)
{
	*device = 0;
	return 0;
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
	static char events[65536];
	static int made;

	(void)flags;
	*event = (CUevent)&events[made++ % 65536];
	return 0;
}

CUresult cuEventDestroy_v2(CUevent event)
{
	(void)event;
	return 0;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	(void)event, (void)stream;
	return 0;
}

CUresult cuEventQuery(CUevent event)
{
	(void)event;
	return 0;
}

CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
	(void)from, (void)to;
	*ms = 0.01f;
	return 0;
}

CUresult cuStreamIsCapturing(CUstream stream, int *status)
{
	(void)stream;
	*status = 0;
	return 0;
}
