#include "hooks/hip/tracking/tracking.h"
#include "hooks/hip/tracking/last_error.h"
#include "hooks/link/resolve.h"

static int32_t device(void)
{
	static _Atomic(void *) cache;
	hipError_t (*get)(int *) = hook_vendor(&cache, "hipGetDevice");
	int before = last_error_now(), number = -1;

	if (!get || get(&number))
		number = -1;
	last_error_was(before);
	return number;
}

/* HIP's contexts are its devices: each has an address here. */
#define DEVICES 256

static void *of_device(int32_t number)
{
	static uint64_t contexts[DEVICES];

	return number >= 0 && number < DEVICES ? &contexts[number] : NULL;
}

static void *context(void)
{
	return of_device(device());
}

static const char *device_name(int32_t number, char *room, size_t size)
{
	static _Atomic(void *) cache;
	hipError_t (*get)(char *, int, hipDevice_t) = hook_vendor(&cache, "hipDeviceGetName");
	int before = last_error_now();
	bool known = get && !get(room, (int)size, number);

	last_error_was(before);
	return known ? room : NULL;
}

static const struct contexts_calls calls = {
	.last_special = LAST_SPECIAL,
	.context = context,
	.device = device,
	.device_name = device_name,
	.of_device = of_device,
	.vendor = "HIP",
	.devices = (uint64_t)'H' << 32,
};

struct streams hip_streams = { .calls = &calls };

/* ---- kernels ---- */

/* By what a launch has just taken: a stub, else a function of a module, unless it may be a library's kernel, which is none. */
static const char *ask(const void *function)
{
	static _Atomic(void *) stub_cache, function_cache, kernel_cache;
	const char *(*of_stub)(const void *, hipStream_t) = hook_vendor(&stub_cache, "hipKernelNameRefByPtr");
	const char *(*of_function)(hipFunction_t) = hook_vendor(&function_cache, "hipKernelNameRef");
	int before = last_error_now();
	const char *name = of_stub ? of_stub(function, NULL) : NULL;

	if (!name && of_function && !hook_vendor(&kernel_cache, "hipLibraryGetKernel"))
		name = of_function((hipFunction_t)function);
	last_error_was(before);
	return name;
}

struct kernels hip_kernels = { .ask = ask };
struct handles hip_memory;
