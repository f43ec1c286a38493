/* driver_launches.c - launches of kernels. Parameters are copied, as the driver does, where it is known how large they are. */
#include "tests/sims/cuda/driver.h"
#include <stdlib.h>
#include <string.h>

static size_t size_of(const struct sim_kernel *code)
{
	size_t all = 0;

	for (int i = 0; code && i < SIM_PARAMS; i++)
		all += (code->sizes[i] + 15) / 16 * 16;
	return all;
}

/* Where each parameter lies. */
void **driver_params(const struct launch *launch, void **pointers)
{
	char *at = (char *)(launch + 1);

	for (int i = 0; i < SIM_PARAMS; i++) {
		pointers[i] = at;
		at += launch->function->code ? (launch->function->code->sizes[i] + 15) / 16 * 16 : 0;
	}
	return pointers;
}

static void run(const void *args)
{
	const struct launch *l = args;
	void *params[SIM_PARAMS];
	uint32_t was = sim_outside();

	if (l->function->code && l->function->code->run && l->has_params)
		l->function->code->run(driver_params(l, params), l->grid, l->block);
	sim_inside(was);
}

int driver_launch_of(void *handle, const unsigned int *grid, const unsigned int *block, unsigned int shared, void **params,
		     struct sim_task *task)
{
	struct function *f = driver_function(handle);
	struct launch *l;
	void *to[SIM_PARAMS];

	if (!f)
		return SIM_ERROR_INVALID_HANDLE;
	for (int i = 0; i < 3; i++)
		if (!grid[i] || !block[i])
			return SIM_ERROR_INVALID_VALUE;
	l = calloc(1, sizeof(*l) + size_of(f->code));
	*l = (struct launch){ .function = f, .shared = shared, .has_params = params != NULL };
	memcpy(l->grid, grid, sizeof(l->grid));
	memcpy(l->block, block, sizeof(l->block));
	driver_params(l, to);
	for (int i = 0; f->code && params && i < SIM_PARAMS && f->code->sizes[i]; i++)
		memcpy(to[i], params[i], f->code->sizes[i]);
	*task = (struct sim_task){ .kind = SIM_KERNEL,
				   .name = f->name,
				   .run = run,
				   .args = l,
				   .size = sizeof(*l) + size_of(f->code),
				   .ns = (uint64_t)sim_setting("SIM_KERNEL_NS", 10000) };
	return 0;
}

static int launch(void *f, const unsigned int *grid, const unsigned int *block, unsigned int shared, CUstream stream, void **params)
{
	struct sim_task task;
	int rc = driver_launch_of(f, grid, block, shared, params, &task);

	if (rc)
		return rc;
	rc = driver_submit(stream, &task);
	free((void *)task.args);
	return rc;
}

CUresult do_cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX,
			   unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
			   void **kernelParams, void **extra)
{
	unsigned int grid[3] = { gridDimX, gridDimY, gridDimZ }, block[3] = { blockDimX, blockDimY, blockDimZ };

	return launch(f, grid, block, sharedMemBytes, hStream, kernelParams);
}

CUresult do_cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
				      unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
				      unsigned int sharedMemBytes, CUstream hStream, void **kernelParams)
{
	unsigned int grid[3] = { gridDimX, gridDimY, gridDimZ }, block[3] = { blockDimX, blockDimY, blockDimZ };

	return launch(f, grid, block, sharedMemBytes, hStream, kernelParams);
}

CUresult do_cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra)
{
	const CUlaunchConfig *c = config;
	unsigned int grid[3], block[3];

	if (!c)
		return SIM_ERROR_INVALID_VALUE;
	memcpy(grid, &c->gridDimX, sizeof(grid));
	memcpy(block, &c->blockDimX, sizeof(block));
	return launch(f, grid, block, c->sharedMemBytes, c->hStream, kernelParams);
}

/* A description of tensors: nobody here reads it. */
CUresult do_cuTensorMapEncodeTiled(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void *globalAddress,
				   const cuuint64_t *globalDim, const cuuint64_t *globalStrides, const cuuint32_t *boxDim,
				   const cuuint32_t *elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
				   CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill)
{
	memset(tensorMap, 0, 128);
	return 0;
}
