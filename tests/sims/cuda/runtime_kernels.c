/* runtime_kernels.c - what nvcc's constructors register, and launches. Code is loaded when the first of its kernels is wanted. */
#include "tests/sims/cuda/runtime.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct fat_binary {
	void *image;
	CUlibrary library;
};

struct entry {
	const void *host; /* NULL: this place is free */
	const char *name;
	struct fat_binary *of;
	CUkernel kernel;
	CUfunction function;
	size_t size; /* of a variable, which has memory of its own */
	CUdeviceptr_v2 memory;
};

/* A hash table: PyTorch registers some 24,000. */
static struct entry *entries;
static size_t room, used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry *place(struct entry *in, size_t its_room, const void *host)
{
	size_t i = ((uintptr_t)host * 0x9e3779b97f4a7c15u >> 20) % its_room;

	while (in[i].host && in[i].host != host)
		i = (i + 1) % its_room;
	return &in[i];
}

static void grow(void)
{
	size_t more = room ? 2 * room : 1024;
	struct entry *bigger = calloc(more, sizeof(*bigger));

	for (size_t i = 0; i < room; i++)
		if (entries[i].host)
			*place(bigger, more, entries[i].host) = entries[i];
	free(entries);
	entries = bigger;
	room = more;
}

static void enter(const struct entry *e)
{
	struct entry *at;

	pthread_mutex_lock(&lock);
	if (used * 2 >= room)
		grow();
	at = place(entries, room, e->host);
	used += !at->host;
	*at = *e;
	pthread_mutex_unlock(&lock);
}

static struct entry *known(const void *host)
{
	struct entry *e;

	pthread_mutex_lock(&lock);
	e = room ? place(entries, room, host) : NULL;
	pthread_mutex_unlock(&lock);
	return e && e->host ? e : NULL;
}

/* ---- registering ---- */

void **do___cudaRegisterFatBinary(void *fatCubin)
{
	struct fat_binary *f = calloc(1, sizeof(*f));

	f->image = fatCubin;
	return (void **)f;
}

void do___cudaRegisterFatBinaryEnd(void **fatCubinHandle)
{
}

/* Its places stay, as they would not be found behind a hole; but its code is gone. */
void do___cudaUnregisterFatBinary(void **fatCubinHandle)
{
	struct fat_binary *f = (void *)fatCubinHandle;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < room; i++)
		if (entries[i].host && entries[i].of == f)
			entries[i].of = NULL;
	pthread_mutex_unlock(&lock);
	if (f->library) {
		CUresult (*unload)(CUlibrary) = CU(cuLibraryUnload);

		unload(f->library);
	}
	free(f);
}

void do___cudaRegisterFunction(void **fatCubinHandle, const char *hostFun, char *deviceFun, const char *deviceName, int thread_limit,
			       uint3 *tid, uint3 *bid, dim3 *bDim, dim3 *gDim, int *wSize)
{
	enter(&(struct entry){ .host = hostFun, .name = deviceName, .of = (void *)fatCubinHandle });
}

void do___cudaRegisterVar(void **fatCubinHandle, char *hostVar, char *deviceAddress, const char *deviceName, int ext, size_t size,
			  int constant, int global)
{
	enter(&(struct entry){ .host = hostVar, .name = deviceName, .of = (void *)fatCubinHandle, .size = size });
}

void do___cudaRegisterManagedVar(void **fatCubinHandle, void **hostVarPtrAddress, char *deviceAddress, const char *deviceName, int ext,
				 size_t size, int constant, int global)
{
	enter(&(struct entry){ .host = hostVarPtrAddress, .name = deviceName, .of = (void *)fatCubinHandle, .size = size });
}

char do___cudaInitModule(void **fatCubinHandle)
{
	return 1;
}

/* ---- finding ---- */

static int load(struct entry *e)
{
	int rc = runtime_ready();

	if (rc || e->function)
		return rc;
	if (!e->of || e->size)
		return SIM_ERROR_INVALID_FUNCTION;
	if (!e->of->library)
		rc = CU(cuLibraryLoadData)(&e->of->library, e->of->image, NULL, NULL, 0, NULL, NULL, 0);
	if (!rc)
		rc = CU(cuLibraryGetKernel)(&e->kernel, e->of->library, e->name);
	return rc ? rc : CU(cuKernelGetFunction)(&e->function, e->kernel);
}

/* A kernel of the driver's stands for itself. */
static int function_of(const void *host, CUfunction *function, CUkernel *kernel)
{
	struct entry *e = known(host);
	int rc = runtime_ready();

	if (rc)
		return rc;
	if (!e) {
		*function = *kernel = (void *)host;
		return host && !((uintptr_t)host & 7) && sim_is(host, SIM_KERNEL_HANDLE) ? 0 : SIM_ERROR_INVALID_FUNCTION;
	}
	rc = load(e);
	*function = e->function;
	*kernel = e->kernel;
	return rc;
}

void *runtime_function(const void *host)
{
	CUfunction function;
	CUkernel kernel;

	return function_of(host, &function, &kernel) ? NULL : function;
}

const void *runtime_host(void *function)
{
	for (size_t i = 0; i < room; i++)
		if (entries[i].host && entries[i].function == function)
			return entries[i].host;
	return function;
}

cudaError_t do___cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr)
{
	CUfunction function;

	return runtime_told(function_of(entryFuncAddr, &function, kernelPtr));
}

cudaError_t do_cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr)
{
	return do___cudaGetKernel(kernelPtr, entryFuncAddr);
}

cudaError_t do_cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr)
{
	CUkernel kernel;

	return runtime_told(function_of(symbolPtr, functionPtr, &kernel));
}

cudaError_t do_cudaFuncGetName(const char **name, const void *func)
{
	void *function = runtime_function(func);

	return runtime_told(function ? CU(cuFuncGetName)(name, function) : SIM_ERROR_INVALID_FUNCTION);
}

cudaError_t do_cudaLibraryLoadData(cudaLibrary_t *library, const void *code, cudaJitOption *jitOptions, void **jitOptionsValues,
				   unsigned int numJitOptions, cudaLibraryOption *libraryOptions, void **libraryOptionValues,
				   unsigned int numLibraryOptions)
{
	return ANSWER(CU(cuLibraryLoadData)(library, code, NULL, NULL, 0, NULL, NULL, 0));
}

cudaError_t do_cudaLibraryUnload(cudaLibrary_t library)
{
	return ANSWER(CU(cuLibraryUnload)(library));
}

cudaError_t do_cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library, const char *name)
{
	return ANSWER(CU(cuLibraryGetKernel)(pKernel, library, name));
}

/* ---- launching ---- */

#define DEPTH 8
static __thread struct {
	dim3 grid, block;
	size_t shared;
	cudaStream_t stream;
} pushed[DEPTH];
static __thread int depth;

unsigned int do___cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem, cudaStream_t stream)
{
	if (depth == DEPTH)
		return 1;
	pushed[depth].grid = gridDim;
	pushed[depth].block = blockDim;
	pushed[depth].shared = sharedMem;
	pushed[depth++].stream = stream;
	return 0;
}

cudaError_t do___cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, void *stream)
{
	if (!depth)
		return runtime_told(52); /* cudaErrorMissingConfiguration */
	*gridDim = pushed[--depth].grid;
	*blockDim = pushed[depth].block;
	*sharedMem = pushed[depth].shared;
	*(cudaStream_t *)stream = pushed[depth].stream;
	return 0;
}

static int launch(CUfunction f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
	return CU_PTSZ(cuLaunchKernel)(f, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned int)shared, stream, args, NULL);
}

/* A kernel is as good as a function to the driver. */
cudaError_t do___cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem, cudaStream_t stream)
{
	return ANSWER(launch(kernel, gridDim, blockDim, args, sharedMem, stream));
}

cudaError_t do_cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem, cudaStream_t stream)
{
	CUfunction function;
	CUkernel kernel;
	int rc = function_of(func, &function, &kernel);

	return runtime_told(rc ? rc : launch(function, gridDim, blockDim, args, sharedMem, stream));
}

cudaError_t do_cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem, cudaStream_t stream)
{
	CUfunction function;
	CUkernel kernel;
	int rc = function_of(func, &function, &kernel);

	if (!rc)
		rc = CU_PTSZ(cuLaunchCooperativeKernel)(function, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z,
							(unsigned int)sharedMem, stream, args);
	return runtime_told(rc);
}

cudaError_t do_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
	CUfunction function;
	CUkernel kernel;
	CUlaunchConfig its = { .hStream = config->stream, .sharedMemBytes = (unsigned int)config->dynamicSmemBytes };
	int rc = function_of(func, &function, &kernel);

	memcpy(&its.gridDimX, &config->gridDim, sizeof(dim3));
	memcpy(&its.blockDimX, &config->blockDim, sizeof(dim3));
	return runtime_told(rc ? rc : CU_PTSZ(cuLaunchKernelEx)(&its, function, args, NULL));
}

cudaError_t do_cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
	return ANSWER(CU_PTSZ(cuLaunchHostFunc)(stream, fn, userData));
}

/* ---- variables ---- */

int runtime_variable(const void *symbol, CUdeviceptr_v2 *at, size_t *size)
{
	struct entry *e = known(symbol);
	int rc = runtime_ready();

	if (!rc && (!e || !e->size))
		rc = 13; /* cudaErrorInvalidSymbol */
	if (!rc && !e->memory)
		rc = CU(cuMemAlloc_v2)(&e->memory, e->size);
	if (rc)
		return rc;
	*at = e->memory;
	*size = e->size;
	return 0;
}
