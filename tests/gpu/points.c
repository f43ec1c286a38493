/*
 * points.c - what documents do not say of a driver.
 *   points pointers   does cuGetProcAddress answer what the library exports?  `equal N of M`, `another NAME VERSION FLAGS`
 *   points costs      ns of a call: `NAME ns`
 */
#include "tests/gpu/kernels.h"
#include "tests/sims/cuda/train/called.h"
#include "tests/sims/cuda/train/resolved.h"
#include <dlfcn.h>
#include <string.h>
#include <time.h>

#define CALLS 10000

static void pointers(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY), *found, *exported;
	int status, equal = 0, all = 0;

	for (size_t i = 0; i < sizeof(abis) / sizeof(*abis); i++) {
		exported = dlsym(driver, abis[i].symbol);
		if (!exported || ROAD(cuGetProcAddress_v2)(abis[i].name, &found, abis[i].version, abis[i].thread ? 2 : 1, &status) || !found)
			continue;
		all++;
		equal += found == exported;
		if (found != exported)
			printf("another %s %d %d\n", abis[i].name, abis[i].version, abis[i].thread);
	}
	printf("equal %d of %d\n", equal, all);
}

static CUstream stream;
static CUevent event;
static CUfunction function;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void record(void)
{
	OK(cuEventRecord, event, stream);
}

static void launch(void)
{
	uint64_t ns = 0;

	OK(cuLaunchKernel, function, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){ &ns }, NULL);
}

/* Not more at once than a stream holds. */
static double cost(void (*call)(void))
{
	double begin, sum = 0;

	for (int i = 0; i < CALLS / 100; i++) {
		begin = now();
		for (int n = 0; n < 100; n++)
			call();
		sum += now() - begin;
		OK(cuStreamSynchronize, stream);
	}
	return sum / CALLS;
}

static void costs(void)
{
	static const struct {
		const char *name;
		unsigned int flags;
	} kinds[] = { { "event", 0 }, { "event-without-time", SIM_EVENT_NO_TIMING } };
	CUcontext context;
	CUmodule module;

	OK(cuDevicePrimaryCtxRetain, &context, 0);
	OK(cuCtxSetCurrent, context);
	OK(cuModuleLoadData, &module, ptx);
	OK(cuModuleGetFunction, &function, module, "spin");
	OK(cuStreamCreate, &stream, SIM_STREAM_NON_BLOCKING);
	cost(launch); /* the first ones set up what others find */
	printf("launch %.0f\n", cost(launch));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		OK(cuEventCreate, &event, kinds[i].flags);
		printf("%s %.0f\n", kinds[i].name, cost(record));
		OK(cuEventDestroy_v2, event);
	}
}

int main(int argc, char **argv)
{
	OK(cuInit, 0);
	if (argc > 1 && !strcmp(argv[1], "pointers"))
		pointers();
	else
		costs();
	return 0;
}
