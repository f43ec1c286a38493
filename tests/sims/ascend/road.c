#include "tests/sims/ascend/road.h"
#include "tests/sims/ascend/declare.h"
#include "tests/sims/lib/sim.h"
#include <stdlib.h>
#include <string.h>

static bool is_old(void)
{
	const char *road = getenv("SIM_LAUNCH");

	return road && !strcmp(road, "old");
}

int road_launch(struct sim_function *kernel, void **binary, const void *args, size_t size, aclrtStream stream)
{
	struct {
		const void *args;
		size_t size;
	} info = { args, size };
	struct sim_function *in_binary = NULL;

	kernel->magic = SIM_FUNCTION;
	if (!is_old())
		return aclrtLaunchKernelWithHostArgs(kernel, 1, stream, NULL, (void *)args, size, NULL, 0);
	if (!*binary && !sim_binary_new(binary) && !sim_function_of(*binary, kernel->name, (void **)&in_binary))
		in_binary->run = kernel->run, in_binary->meets = kernel->meets;
	return rtKernelLaunchWithHandleV2(*binary, 0, 1, (rtArgsEx_t *)&info, NULL, stream, NULL);
}
