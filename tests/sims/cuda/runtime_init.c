/* runtime_init.c - how the runtime finds its driver, devices, errors, and entry points of the driver. */
#include "tests/sims/cuda/runtime.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int init_rc;
static __thread int last_error, device;
static __thread bool entered;

/* ---- the driver ---- */

#ifdef SIM_IN_ONE
static void init(void)
{
	init_rc = CU(cuInit)(0);
}
#else
__thread int sim_per_thread;
void *runtime_asked[ASKED_ALL];
static __typeof__(&cuGetProcAddress_v2) get;

#define ASKED(name, version, flags, symbol, number) { name, version, flags },
static const struct {
	const char *name;
	int version, flags;
} asked[] = {
#include ASKED_ROWS
};

static void init(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	int version = 0;

	init_rc = SIM_ERROR_NO_DRIVER;
	get = driver ? (__typeof__(get))dlsym(driver, "cuGetProcAddress_v2") : NULL;
	if (!get)
		return;
	for (int i = 0; i < ASKED_ALL; i++) {
		CUdriverProcAddressQueryResult status;

		get(asked[i].name, &runtime_asked[i], asked[i].version, (cuuint64_t)asked[i].flags, &status);
		if (!strcmp(asked[i].name, "cuGetProcAddress") && asked[i].version >= 12000 && runtime_asked[i])
			get = (__typeof__(get))runtime_asked[i]; /* from here on, as NVIDIA's */
	}
	CU(cuDriverGetVersion)
	(&version);
	if (version >= SIM_MAJOR * 1000)
		init_rc = CU(cuInit)(0);
}
#endif

int runtime_init(void)
{
	pthread_once(&once, init);
	return init_rc;
}

static int enter(int its)
{
	CUcontext context;
	int rc = CU(cuDevicePrimaryCtxRetain)(&context, its);

	if (!rc)
		rc = CU(cuCtxSetCurrent)(context);
	if (!rc)
		entered = true;
	return rc;
}

int runtime_ready(void)
{
	int rc = runtime_init();
	CUcontext context = NULL;

	if (rc || entered)
		return rc;
	rc = CU(cuCtxGetCurrent)(&context);
	entered = context;
	return rc || context ? rc : enter(device);
}

/* ---- errors ---- */

int runtime_told(int rc)
{
	if (rc)
		last_error = rc;
	return rc;
}

cudaError_t do_cudaGetLastError(void)
{
	int rc = last_error;

	last_error = 0;
	return rc;
}

cudaError_t do_cudaPeekAtLastError(void)
{
	return last_error;
}

const char *do_cudaGetErrorName(cudaError_t error)
{
	return error ? "cudaErrorSimulated" : "cudaSuccess";
}

const char *do_cudaGetErrorString(cudaError_t error)
{
	return error ? "simulated error" : "no error";
}

/* ---- entry points ---- */

#ifndef SIM_IN_ONE
cudaError_t do_cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion, unsigned long long flags,
						cudaDriverEntryPointQueryResult *driverStatus)
{
	CUdriverProcAddressQueryResult status = 0;
	int rc = runtime_init();

	if (rc)
		return runtime_told(rc);
	get(symbol, funcPtr, (int)cudaVersion, flags ? flags : sim_per_thread ? 2u
									      : 1u,
	    &status);
	if (driverStatus)
		*driverStatus = status;
	return 0;
}

cudaError_t do_cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
				       cudaDriverEntryPointQueryResult *driverStatus)
{
	return do_cudaGetDriverEntryPointByVersion(symbol, funcPtr, SIM_VERSION, flags, driverStatus);
}

cudaError_t do_cudaDriverGetVersion(int *driverVersion)
{
	*driverVersion = 0;
	runtime_init();
	return get ? runtime_told(CU(cuDriverGetVersion)(driverVersion)) : 0;
}
#endif

cudaError_t do_cudaRuntimeGetVersion(int *runtimeVersion)
{
	*runtimeVersion = SIM_VERSION;
	return 0;
}

/* ---- devices ---- */

cudaError_t do_cudaGetDeviceCount(int *count)
{
	int rc = runtime_init();

	return runtime_told(rc ? rc : CU(cuDeviceGetCount)(count));
}

cudaError_t do_cudaSetDevice(int its)
{
	int rc = runtime_init();

	if (!rc)
		rc = enter(its);
	if (!rc)
		device = its;
	return runtime_told(rc);
}

cudaError_t do_cudaInitDevice(int its, unsigned int deviceFlags, unsigned int flags)
{
	CUcontext context;
	int rc = runtime_init();

	return runtime_told(rc ? rc : CU(cuDevicePrimaryCtxRetain)(&context, its));
}

cudaError_t do_cudaGetDevice(int *its)
{
	CUcontext context = NULL;
	int rc = runtime_init();

	*its = device;
	if (!rc)
		rc = CU(cuCtxGetCurrent)(&context);
	if (!rc && context)
		rc = CU(cuCtxGetDevice)(its);
	return runtime_told(rc);
}

cudaError_t do_cudaDeviceReset(void)
{
	return ANSWER(CU(cuDevicePrimaryCtxReset)(device));
}

cudaError_t do_cudaDeviceSynchronize(void)
{
	return ANSWER(CU(cuCtxSynchronize)());
}

cudaError_t do_cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int its)
{
	int rc = runtime_init();

	return runtime_told(rc ? rc : CU(cuDeviceGetAttribute)(value, attr, its));
}

cudaError_t do_cudaDeviceGetPCIBusId(char *pciBusId, int len, int its)
{
	int rc = runtime_init();

	return runtime_told(rc ? rc : CU(cuDeviceGetPCIBusId)(pciBusId, len, its));
}

cudaError_t do_cudaDeviceGetByPCIBusId(int *its, const char *pciBusId)
{
	int rc = runtime_init();

	return runtime_told(rc ? rc : CU(cuDeviceGetByPCIBusId)(its, pciBusId));
}

cudaError_t do_cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	return ANSWER(CU(cuCtxGetStreamPriorityRange)(leastPriority, greatestPriority));
}

cudaError_t do_cudaDeviceCanAccessPeer(int *canAccessPeer, int its, int peerDevice)
{
	int rc = runtime_init();

	return runtime_told(rc ? rc : CU(cuDeviceCanAccessPeer)(canAccessPeer, its, peerDevice));
}

cudaError_t do_cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
	CUcontext context;

	return ANSWER(CU(cuDevicePrimaryCtxRetain)(&context, peerDevice) ?: CU(cuCtxEnablePeerAccess)(context, flags));
}

cudaError_t do_cudaDeviceDisablePeerAccess(int peerDevice)
{
	CUcontext context;

	return ANSWER(CU(cuDevicePrimaryCtxRetain)(&context, peerDevice) ?: CU(cuCtxDisablePeerAccess)(context));
}

cudaError_t do_cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int its)
{
	return ANSWER(CU(cuDeviceGetDefaultMemPool)(memPool, its));
}

cudaError_t do_cudaDeviceGetMemPool(cudaMemPool_t *memPool, int its)
{
	return ANSWER(CU(cuDeviceGetMemPool)(memPool, its));
}

cudaError_t do_cudaDeviceSetMemPool(int its, cudaMemPool_t memPool)
{
	return ANSWER(CU(cuDeviceSetMemPool)(its, memPool));
}

cudaError_t do_cudaDeviceSetLimit(cudaLimit limit, size_t value)
{
	return ANSWER(CU(cuCtxSetLimit)(limit, value));
}

cudaError_t do_cudaDeviceGetLimit(size_t *pValue, cudaLimit limit)
{
	return ANSWER(CU(cuCtxGetLimit)(pValue, limit));
}

cudaError_t do_cudaSetDeviceFlags(unsigned int flags)
{
	return runtime_told(runtime_init());
}

cudaError_t do_cudaGetDeviceFlags(unsigned int *flags)
{
	*flags = 0;
	return runtime_told(runtime_init());
}

cudaError_t do_cudaMemGetInfo(size_t *free_, size_t *total)
{
	return ANSWER(CU(cuMemGetInfo_v2)(free_, total));
}

/* Numbers of cudaDeviceProp, by attribute: where they lie (driver_types.h of each major), and whether 8 bytes are theirs. */
static const struct {
	int attribute, at12, at13;
	bool wide;
} numbers[] = {
	{ 8, 296, 296, true },
	{ 12, 304, 304, false },
	{ 10, 308, 308, false },
	{ 11, 312, 312, true },
	{ 1, 320, 320, false },
	{ 2, 324, 324, false },
	{ 3, 328, 328, false },
	{ 4, 332, 332, false },
	{ 5, 336, 336, false },
	{ 6, 340, 340, false },
	{ 7, 344, 344, false },
	{ 9, 352, 352, true },
	{ 75, 360, 360, false },
	{ 76, 364, 364, false },
	{ 14, 368, 368, true },
	{ 16, 388, 384, false },
	{ 31, 576, 560, false },
	{ 33, 584, 568, false },
	{ 38, 616, 596, false },
	{ 39, 624, 604, false },
	{ 81, 640, 624, true },
	{ 82, 648, 632, false },
	{ 83, 652, 636, false },
	{ 95, 688, 668, false },
	{ 97, 696, 672, true },
};

cudaError_t do_cudaGetDeviceProperties(cudaDeviceProp *prop, int its)
{
	int rc = runtime_init();

	memset(prop, 0, SIM_MAJOR == 12 ? 1032 : 1008);
	if (!rc)
		rc = CU(cuDeviceGetName)(prop->name, sizeof(prop->name), its);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers) && !rc; i++) {
		int value = 0;
		size_t wide;

		rc = CU(cuDeviceGetAttribute)(&value, numbers[i].attribute, its);
		wide = (size_t)value;
		memcpy((char *)prop + (SIM_MAJOR == 12 ? numbers[i].at12 : numbers[i].at13), &wide, numbers[i].wide ? 8 : 4);
	}
	if (rc)
		return runtime_told(rc);
	CU(cuDeviceGetUuid)
	(&prop->uuid, its);
	CU(cuDeviceTotalMem_v2)
	(&prop->totalGlobalMem, its);
	return 0;
}

#if SIM_MAJOR == 12
cudaError_t do_cudaGetDeviceProperties_v2(cudaDeviceProp *prop, int its)
{
	return do_cudaGetDeviceProperties(prop, its);
}
#endif

cudaError_t do_cudaProfilerStart(void)
{
	return 0;
}

cudaError_t do_cudaProfilerStop(void)
{
	return 0;
}
