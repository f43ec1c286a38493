#include "hooks/cuda/tracking/tracking.h"
#include "agent/os/elf.h"
#include "hooks/cuda/tracking/primary.h"
#include "hooks/link/resolve.h"

static void *context(void)
{
	static _Atomic(void *) cache;
	CUresult (*get)(CUcontext *) = hook_vendor(&cache, "cuCtxGetCurrent");
	CUcontext here = NULL;

	return get && !get(&here) ? here : NULL;
}

static int32_t device(void)
{
	static _Atomic(void *) cache;
	CUresult (*get)(CUdevice_v1 *) = hook_vendor(&cache, "cuCtxGetDevice");
	CUdevice_v1 number = -1;

	return get && !get(&number) ? number : -1;
}

static const char *device_name(int32_t number, char *room, size_t size)
{
	static _Atomic(void *) cache;
	CUresult (*get)(char *, int, CUdevice_v1) = hook_vendor(&cache, "cuDeviceGetName");

	return get && !get(room, (int)size, number) ? room : NULL;
}

static const struct contexts_calls calls = {
	.last_special = LAST_SPECIAL,
	.context = context,
	.device = device,
	.device_name = device_name,
	.of_device = cuda_primary_of,
	.vendor = "CUDA",
	.devices = (uint64_t)'C' << 32,
};

struct streams cuda_streams = { .calls = &calls };

/* ---- kernels ---- */

/* The driver knows their names from 12.3 on. */
static const char *ask(const void *function)
{
	static _Atomic(void *) function_cache, kernel_cache;
	CUresult (*of_function)(const char **, CUfunction) = hook_vendor(&function_cache, "cuFuncGetName");
	CUresult (*of_kernel)(const char **, CUkernel) = hook_vendor(&kernel_cache, "cuKernelGetName");
	const char *name = NULL;
	struct elf_object stub_is_in;

	if (elf_object_at(function, &stub_is_in))
		return NULL; /* nobody has registered it, or its module is gone: it is no handle of the driver's */
	if (of_function && of_function(&name, (CUfunction)function))
		name = NULL;
	if (!name && of_kernel && of_kernel(&name, (CUkernel)function))
		name = NULL;
	return name;
}

struct kernels cuda_kernels = { .ask = ask };
struct handles cuda_memory;
