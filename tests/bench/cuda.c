/*
 * cuda - what calls of CUDA cost on their roads, and what is around them: prints <what>=ns, the best of many batches, and calls=, how many of
 * them are launches and ranges. `cuda around` makes the other calls: those that a program makes when it starts. `cuda beside LIBRARY` opens
 * another major of the runtime and launches by either.
 */
#include "bench.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "hooks/cuda/abi/abi.h"
#include "hooks/cuda/nvtx/abi.h"

#define BATCHES	      30
#define BATCH	      10000 /* as bench_cost() */
#define REGISTRATIONS 500000

cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
CUresult cuLaunchKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, CUstream, void **,
			void **);
CUresult cuGetProcAddress_v2(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *);
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);

/* ---- the roads of a launch ---- */

static char stubs[KERNELS], names[KERNELS][32];
static CUfunction functions[KERNELS];
static __typeof__(cuLaunchKernel) *answered;
static unsigned int turn;

static void runtime(void)
{
	cudaLaunchKernel(&stubs[turn++ % KERNELS], (dim3){ 64, 1, 1 }, (dim3){ 256, 1, 1 }, NULL, 0, NULL);
}

static void driver(void)
{
	cuLaunchKernel(functions[turn++ % KERNELS], 64, 1, 1, 256, 1, 1, 0, NULL, NULL, NULL);
}

static void resolver(void)
{
	answered(functions[turn++ % KERNELS], 64, 1, 1, 256, 1, 1, 0, NULL, NULL, NULL);
}

static __typeof__(cudaLaunchKernel) *others;

static void of_another(void)
{
	others(&stubs[turn++ % KERNELS], (dim3){ 64, 1, 1 }, (dim3){ 256, 1, 1 }, NULL, 0, NULL);
}

static int beside(const char *library)
{
	void *opened = dlopen(library, RTLD_NOW);

	others = opened ? (__typeof__(others))dlsym(opened, "cudaLaunchKernel") : NULL;
	if (!others)
		return 1;
	printf("beside=%.1f\nother=%.1f\n", bench_cost(runtime, BATCHES), bench_cost(of_another, BATCHES));
	return 0;
}

/* ---- NVTX: what a program's copy of it has of a tool ---- */

static int (*push)(const char *);
static int (*pop)(void);

static int get_table(int module, NvtxFunctionPointer ***table, unsigned int *size)
{
	static NvtxFunctionPointer *core[17] = { [9] = (NvtxFunctionPointer *)&push, [11] = (NvtxFunctionPointer *)&pop };

	*table = core;
	*size = sizeof(core) / sizeof(*core);
	return module == NVTX_CB_MODULE_CORE;
}

static const void *get(uint32_t id)
{
	static const NvtxExportTableCallbacks callbacks = { sizeof(callbacks), get_table };

	return id == NVTX_ETID_CALLBACKS ? &callbacks : NULL;
}

static void range(void)
{
	if (push) {
		push("forward");
		pop();
	}
}

/* ---- what is called before ---- */

static void request(void)
{
	void *function;

	cuGetProcAddress_v2("cuLaunchKernel", &function, 12000, 0, NULL);
}

/* Each of another kernel. Functions of the host lie as far apart at least. */
static void registrations(void)
{
	static char theirs[REGISTRATIONS][32];
	uint64_t begin = bench_ns(CLOCK_MONOTONIC);

	for (int i = 0; i < REGISTRATIONS; i++)
		__cudaRegisterFunction((void **)theirs, theirs[i], theirs[i], "layer_forward", -1, NULL, NULL, NULL, NULL, NULL);
	printf("registration=%.1f\n", (double)(bench_ns(CLOCK_MONOTONIC) - begin) / REGISTRATIONS);
}

int main(int argc, char **argv)
{
	int (*inject)(NvtxGetExportTableFunc_t) = (int (*)(NvtxGetExportTableFunc_t))dlsym(RTLD_DEFAULT, "InitializeInjectionNvtx2");

	__cudaRegisterFatBinary(stubs);
	for (int i = 0; i < KERNELS; i++) {
		__cudaRegisterFunction((void **)stubs, &stubs[i], stubs, "layer_forward", -1, NULL, NULL, NULL, NULL, NULL);
		snprintf(names[i], sizeof(names[i]), "layer_%d_forward", i);
		cuModuleGetFunction(&functions[i], (CUmodule)stubs, names[i]);
	}
	if (argc > 2 && !strcmp(argv[1], "beside"))
		return beside(argv[2]);
	if (argc > 1 && !strcmp(argv[1], "around")) {
		registrations();
		printf("request=%.1f\n", bench_cost(request, BATCHES));
		return 0;
	}
	cuGetProcAddress_v2("cuLaunchKernel", (void **)&answered, 12000, 0, NULL);
	if (inject)
		inject(get);
	printf("runtime=%.1f\ndriver=%.1f\nresolver=%.1f\nrange=%.1f\n", bench_cost(runtime, BATCHES), bench_cost(driver, BATCHES),
	       bench_cost(resolver, BATCHES), bench_cost(range, BATCHES));
	return 0;
}
