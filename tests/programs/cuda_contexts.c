/*
 * cuda_contexts.c - contexts of CUDA's driver that come and go: each launches three times on a stream of its own, waits, and ends.
 *   primary   the device's own, held and given back three times; each time it is another one
 *   held      the device's own, which a second holder keeps: it goes on while it is given back once
 *   created   three that are made and destroyed
 * What goes wrong it says, and ends.
 */
#include "tests/sims/cuda/declare.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ok(int rc, const char *call)
{
	if (!rc)
		return;
	printf("%s: %d\n", call, rc);
	exit(1);
}
#define OK(call) ok((int)(call), #call)

static void work(void)
{
	const struct sim_kernel code[] = { { .name = "in_a_context" }, { .name = NULL } };
	const struct sim_image image = { SIM_IMAGE, code };
	CUmodule module;
	CUfunction function;
	CUstream stream;

	OK(cuModuleLoadData(&module, &image));
	OK(cuModuleGetFunction(&function, module, "in_a_context"));
	OK(cuStreamCreate(&stream, 0));
	for (int i = 0; i < 3; i++)
		OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
	OK(cuCtxSynchronize());
	OK(cuStreamDestroy_v2(stream));
	OK(cuModuleUnload(module));
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	CUcontext context;

	OK(cuInit(0));
	if (!strcmp(how, "held"))
		OK(cuDevicePrimaryCtxRetain(&context, 0));
	for (int i = 0; i < 3; i++) {
		if (!strcmp(how, "created")) {
			OK(cuCtxCreate_v2(&context, 0, 0));
			work();
			OK(cuCtxDestroy_v2(context));
			continue;
		}
		OK(cuDevicePrimaryCtxRetain(&context, 0));
		OK(cuCtxSetCurrent(context));
		work();
		OK(cuDevicePrimaryCtxRelease_v2(0));
	}
	puts("done");
	return 0;
}
