/*
 * launches.h - HIP's ways of a launch, in ../../cuda/train/runtime.c: with events of the program's around the kernel, and on one of its
 * other roads, CONFIG_BY.
 */
#define EXT_IN_CPP _Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j

#ifdef PER_THREAD
static void plain(enum kernel kernel, enum stream stream, void **params)
{
	dim3 g, b;
	size_t shared;
	cudaStream_t its;

	configured(stream, &g, &b, &shared, &its);
	OK(cudaLaunchKernel, stubs[kernel], g, b, params, shared, its);
}
#else
/* The events of a forward kernel tell how long it took. */
static void plain(enum kernel kernel, enum stream stream, void **params)
{
	cudaEvent_t begin = NULL, end = NULL;
	dim3 g, b;
	size_t shared;
	cudaStream_t its;
	float ms;

	if (kernel == FORWARD) {
		OK(cudaEventCreate, &begin);
		OK(cudaEventCreate, &end);
	}
	configured(stream, &g, &b, &shared, &its);
	OK(hipExtLaunchKernel, stubs[kernel], g, b, params, shared, its, begin, end, 0);
	if (kernel != FORWARD)
		return;
	OK(cudaEventSynchronize, end);
	OK(cudaEventElapsedTime, &ms, begin, end);
	check((int)(ms * 1e6f + .5f), "a kernel's time", 10000);
	OK(cudaEventDestroy, begin);
	OK(cudaEventDestroy, end);
}
#endif

static void *function_of(enum kernel kernel)
{
	static hipModule_t module;
	static hipFunction_t known[KERNELS];

	if (!module)
		OK(hipModuleLoadData, &module, &kernels);
	if (!known[kernel])
		OK(hipModuleGetFunction, &known[kernel], module, kernel_names[kernel]);
	return known[kernel];
}

#define SIZES(dims) dims.x, dims.y, dims.z

static void by_config(enum kernel kernel, enum stream stream, void **params)
{
	void *function = function_of(kernel);

#if CONFIG_BY == 5
	OK(EXT_IN_CPP, function, grid.x * block.x, 1, 1, SIZES(block), 128, streams[stream], params, NULL, NULL, NULL, 0);
#elif CONFIG_BY == 6
	OK(hipExtModuleLaunchKernel, function, grid.x * block.x, 1, 1, SIZES(block), 128, streams[stream], params, NULL, NULL, NULL, 0);
#elif CONFIG_BY == 7
	cudaLaunchConfig_t config = { .gridDim = grid, .blockDim = block, .dynamicSmemBytes = 128, .stream = streams[stream] };

	(void)function;
	OK(hipLaunchKernelExC, &config, stubs[kernel], params);
#elif CONFIG_BY == 8
	HIP_LAUNCH_CONFIG config = { SIZES(grid), SIZES(block), 128, streams[stream], NULL, 0 };

	OK(hipDrvLaunchKernelEx, &config, function, params, NULL);
#else
	OK(hipModuleLaunchKernel, function, SIZES(grid), SIZES(block), 128, streams[stream], params, NULL);
#endif
}
