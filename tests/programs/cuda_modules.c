/*
 * cuda_modules.c - code that comes and goes. As a LIBRARY: registers its kernel, named by WORK, before main() and launches it when asked
 * to, as nvcc's have it. The program is linked with such libraries, and opens others, one after the other, where the last one was; it loads
 * the driver's modules likewise. It says which kernels it launched, one a line, and on standard error whether stubs and functions were
 * where those of another kernel had been. Then it launches what no kernel is, which fails.
 */
#include "tests/sims/cuda/declare.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
static const struct sim_kernel code[] = { { .name = WORK }, { .name = NULL } };
static const struct sim_image image = { SIM_IMAGE, code };
static const struct sim_fat_binary fat = { SIM_FAT_BINARY, 1, &image, NULL };
static const char stub[16];
static void **handle;

static void unregister(void)
{
	__cudaUnregisterFatBinary(handle);
}

__attribute__((constructor)) static void registering(void)
{
	handle = __cudaRegisterFatBinary((void *)&fat);
	__cudaRegisterFunction(handle, stub, (char *)stub, WORK, -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFatBinaryEnd(handle);
	atexit(unregister);
}

const void *LAUNCH(void);
const void *LAUNCH(void)
{
	int rc = cudaLaunchKernel(stub, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 0, NULL);

	printf("%s%s\n", WORK, rc ? " fails" : "");
	return stub;
}
#else
const void *launch12(void);
const void *launch13(void);
void ranktrace_step(int64_t step) __attribute__((weak));

static int again[2]; /* stubs, functions */

/* Was another kernel here the last time? */
static void met(const void *place, int which)
{
	static struct {
		const void *place;
		int which;
	} known[64];

	for (int i = 0; i < 64; i++) {
		if (known[i].place && known[i].place != place)
			continue;
		again[which / 2] += known[i].place && known[i].which != which;
		known[i].place = place;
		known[i].which = which;
		return;
	}
}

static void open_and_close(const char *path, int which)
{
	void *library = dlopen(path, RTLD_NOW);
	const void *(*launch)(void) = library ? (const void *(*)(void))dlsym(library, "launch") : NULL;

	if (!launch)
		exit(2);
	met(launch(), which);
	dlclose(library);
}

static void load_and_unload(const char *name, int which)
{
	const struct sim_kernel code[] = { { .name = name }, { .name = NULL } };
	const struct sim_image image = { SIM_IMAGE, code };
	CUmodule module;
	CUfunction function;

	if (cuModuleLoadData(&module, &image) || cuModuleGetFunction(&function, module, name) ||
	    cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL))
		exit(3);
	printf("%s\n", name);
	met(function, which);
	cuModuleUnload(module);
}

static void launch_what_is_none(void)
{
	CUfunction wild = calloc(1, 64);

	if (!cuLaunchKernel(wild, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL))
		exit(4);
	free(wild);
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;

	if (argc < 3 || cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context))
		return 1;
	for (int step = 1; step <= 2; step++) {
		if (ranktrace_step)
			ranktrace_step(step);
		launch12();
		launch13();
		for (int i = 0; i < 6; i++) {
			open_and_close(argv[1 + i % 2], i % 2);
			load_and_unload(i % 2 ? "of_a_module" : "of_another_module", 2 + i % 2);
		}
		launch_what_is_none();
	}
	fprintf(stderr, "stubs %s, functions %s\n", again[0] ? "again" : "never", again[1] ? "again" : "never");
	return 0;
}
#endif
