/*
 * hip.c - what libamdhip64 does in a way of its own: the last error, launches with events, names of kernels. All else is what the
 * simulated CUDA's runtime and driver do, which are in this library (rows/same.txt).
 */
#include "tests/sims/hip/abi.h"
#include "tests/sims/cuda/runtime.h"
#include "tests/sims/cuda/driver.h"
#include "tests/sims/hip/front.h"
#undef DECLARED
#define DECLARED "own.def"
#include "tests/sims/cuda/declare.h"

/* ---- the last error: up to 6 each call sets it, from 7 on errors do, and what is not ready is none ---- */

static __thread int last_error;

int hip_ready(void)
{
	return runtime_ready();
}

int hip_told(int status)
{
	if (SIM_HIP < 7 || (status && status != SIM_ERROR_NOT_READY))
		last_error = status;
	return status;
}

hipError_t do_hipGetLastError(void)
{
	int rc = last_error;

	last_error = 0;
	return rc;
}

hipError_t do_hipPeekAtLastError(void)
{
	return last_error;
}

/* As 50221153 is 5.2 and a number of the build. */
hipError_t do_hipRuntimeGetVersion(int *runtimeVersion)
{
	*runtimeVersion = SIM_HIP * 10000000;
	return 0;
}

/* ---- launches: the events are those of the kernel's begin and end ---- */

static int between(hipEvent_t start, hipEvent_t stop, hipStream_t stream, int (*launch)(const void *), const void *what)
{
	int rc = start ? do_cuEventRecord(start, stream) : 0;

	if (!rc)
		rc = launch(what);
	return rc || !stop ? rc : do_cuEventRecord(stop, stream);
}

struct stub_launch {
	const void *stub;
	dim3 grid, block;
	void **args;
	size_t shared;
	hipStream_t stream;
};

static int launch_stub(const void *what)
{
	const struct stub_launch *l = what;

	return do_cudaLaunchKernel(l->stub, l->grid, l->block, l->args, l->shared, l->stream);
}

hipError_t do_hipExtLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks, void **args, size_t sharedMemBytes,
				 hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent, int flags)
{
	struct stub_launch l = { function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream };

	return between(startEvent, stopEvent, stream, launch_stub, &l);
}

struct module_launch {
	void *function, **params;
	unsigned int grid[3], block[3], shared;
	hipStream_t stream;
};

static int launch_function(const void *what)
{
	const struct module_launch *l = what;

	return do_cuLaunchKernel(l->function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->shared, l->stream,
				 l->params, NULL);
}

/* Threads in all, not blocks. */
hipError_t do_hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
				       uint32_t localWorkSizeX, uint32_t localWorkSizeY, uint32_t localWorkSizeZ, size_t sharedMemBytes,
				       hipStream_t hStream, void **kernelParams, void **extra, hipEvent_t startEvent, hipEvent_t stopEvent,
				       uint32_t flags)
{
	struct module_launch l = { f, kernelParams, { 0 }, { localWorkSizeX, localWorkSizeY, localWorkSizeZ }, (unsigned int)sharedMemBytes, hStream };
	uint32_t threads[3] = { globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ };

	for (int i = 0; i < 3; i++) {
		if (!l.block[i] || threads[i] % l.block[i])
			return SIM_ERROR_INVALID_VALUE;
		l.grid[i] = threads[i] / l.block[i];
	}
	return between(startEvent, stopEvent, hStream, launch_function, &l);
}

const char *do_hipKernelNameRef(const hipFunction_t f)
{
	struct function *function = driver_function(f);

	return function ? function->name : NULL;
}

const char *do_hipKernelNameRefByPtr(const void *hostFunction, hipStream_t stream)
{
	struct function *function = runtime_function(hostFunction);

	return function ? function->name : NULL;
}

/* ---- registering and configuring ---- */

void **do___hipRegisterFatBinary(const void *data)
{
	return do___cudaRegisterFatBinary((void *)data);
}

void do___hipUnregisterFatBinary(void **modules)
{
	do___cudaUnregisterFatBinary(modules);
}

void do___hipRegisterFunction(void **modules, const void *hostFunction, char *deviceFunction, const char *deviceName, unsigned int threadLimit,
			      uint3 *tid, uint3 *bid, dim3 *blockDim, dim3 *gridDim, int *wSize)
{
	do___cudaRegisterFunction(modules, hostFunction, deviceFunction, deviceName, (int)threadLimit, tid, bid, blockDim, gridDim, wSize);
}

/* ---- copies ---- */

hipError_t do_hipMemcpyWithStream(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind way, hipStream_t stream)
{
	int rc = do_cudaMemcpyAsync(dst, src, sizeBytes, way, stream);

	return rc ? rc : do_cudaStreamSynchronize(stream);
}

/* The stream stands in one of the last two; as nobody can say in which, it is the default one. */
hipError_t do_hipMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count, hipMemcpyAttributes *attrs, size_t *attrsIdxs,
				  size_t numAttrs, uint64_t fail_or_stream, hipStream_t stream)
{
	int rc = count ? 0 : SIM_ERROR_INVALID_VALUE;

	for (size_t i = 0; i < count && !rc; i++)
		rc = do_cudaMemcpyAsync(dsts[i], srcs[i], sizes[i], 4, NULL);
	return rc;
}
