/*
 * cuda_contexts.c - contexts of CUDA's driver that come and go: each launches three times on a stream of its own, waits, and ends.
 *   primary   the device's own, held and given back three times; each time it is another one
 *   held      the device's own, which a second holder keeps: it goes on while it is given back once
 *   created   three that are made and destroyed
 *   staying   two that are made, of which the second one launches on its default stream before and behind a call that ends neither: its
 *             own end, which fails (SIM_FAIL), and that of the device's own context
 *   behind    three that are made and destroyed, one behind the other: each launches on its default stream
 *   another   the device's own, which launches on its default stream before and behind the end of what is another device's own
 *   stages    four steps with two stages each, in each of which it launches once and copies once
 * What goes wrong it says, and ends.
 */
#include "tests/sims/cuda/declare.h"
#include "agent/ranktrace.h"
#include "tests/sims/cuda/ok.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void launch(const char *name)
{
	const struct sim_kernel code[] = { { .name = name }, { .name = NULL } };
	const struct sim_image image = { SIM_IMAGE, code };
	CUmodule module;
	CUfunction function;

	OK(cuModuleLoadData(&module, &image));
	OK(cuModuleGetFunction(&function, module, name));
	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	OK(cuCtxSynchronize());
	OK(cuModuleUnload(module));
}

static void stay(void)
{
	CUcontext own, first, second;

	OK(cuDevicePrimaryCtxRetain(&own, 0));
	OK(cuCtxSetCurrent(own));
	launch("in_the_device_s_own");
	OK(cuCtxCreate_v2(&first, 0, 0));
	launch("in_the_first");
	OK(cuCtxCreate_v2(&second, 0, 0));
	launch("in_the_second");
	printf("its end: %d\n", (int)cuCtxDestroy_v2(second));
	launch("in_the_second");
	OK(cuDevicePrimaryCtxReset_v2(0));
	launch("in_the_second");
}

static void behind(void)
{
	for (int i = 0; i < 3; i++) {
		CUcontext context;

		OK(cuCtxCreate_v2(&context, 0, 0));
		launch("in_one_of_three");
		OK(cuCtxDestroy_v2(context));
	}
}

static void another(void)
{
	CUcontext own;

	OK(cuDevicePrimaryCtxRetain(&own, 0));
	OK(cuCtxSetCurrent(own));
	launch("in_the_device_s_own");
	OK(cuDevicePrimaryCtxReset_v2(1));
	launch("in_the_device_s_own");
}

static void stages(void)
{
	CUdeviceptr_v2 there;
	CUcontext own;
	char here[64] = "";

	OK(cuDevicePrimaryCtxRetain(&own, 0));
	OK(cuCtxSetCurrent(own));
	OK(cuMemAlloc_v2(&there, sizeof(here)));
	for (int i = 0; i < 8; i++) {
		uint64_t stage;

		ranktrace_begin_step(1 + i / 2);
		stage = ranktrace_begin_stage("part");
		launch("in_a_stage");
		OK(cuMemcpyHtoDAsync_v2(there, here, sizeof(here), NULL));
		OK(cuCtxSynchronize());
		ranktrace_end_stage(stage);
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	CUcontext context;

	OK(cuInit(0));
	if (!strcmp(how, "staying"))
		return stay(), 0;
	if (!strcmp(how, "behind"))
		return behind(), 0;
	if (!strcmp(how, "another"))
		return another(), 0;
	if (!strcmp(how, "stages"))
		return stages(), 0;
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
