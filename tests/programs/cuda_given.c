/*
 * cuda_given.c - memory, copies, fills and launches by CUDA's runtime or (DRIVER) driver; PER_THREAD: on default streams of threads. Says
 * what each call was given, in the words of the dump; what a call has not is left out:
 *   NAME result=.. bytes=.. address=.. source=.. direction=.. stream=.. items=.. global=.. local=.. shared_memory=..
 * All is called twice: in step 1, of which nothing is said but the memory that is freed in step 2, and in step 2.
 *
 * As a LIBRARY it is opened by a program made from this file too, of another major of the runtime, which is given its path.
 */
#ifndef DRIVER
#ifdef PER_THREAD
#define THREAD_S(symbol) symbol##_ptsz
#define THREAD_D(symbol) symbol##_ptds
#else
#define THREAD_S(symbol) symbol
#define THREAD_D(symbol) symbol
#endif
#include "tests/sims/cuda/declare.h"
#include "tests/sims/cuda/ok.h"
#undef DECLARED
#define DECLARED "libcuda.so.1.def"
#endif
#include "tests/sims/cuda/declare.h"
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ranktrace_step(int64_t step) __attribute__((weak));

struct given {
	uint64_t bytes;
	const void *address, *source;
	const char *direction, *stream;
	int items;
	const char *sizes; /* of a launch */
};
static int step;
#ifdef LIBRARY
#define OWN "the_library_s"
#else
#define OWN "own"
#endif

static void said(const char *name, int rc, const struct given *g)
{
	if (step != 2)
		return;
	printf("%s result=%d", name, rc);
	if (g->bytes)
		printf(" bytes=%" PRIu64, g->bytes);
	if (g->address)
		printf(" address=%p", g->address);
	if (g->source)
		printf(" source=%p", g->source);
	if (g->direction)
		printf(" direction=%s", g->direction);
	if (g->stream)
		printf(" stream=%s", g->stream);
	if (g->items)
		printf(" items=%d", g->items);
	printf("%s%s\n", g->sizes ? " " : "", g->sizes ? g->sizes : "");
}

#define TEXT(symbol)  TEXT_(symbol)
#define TEXT_(symbol) #symbol
/* GIVE(symbol, arguments, what the event has): macros of names are those of threads */
#define GIVE(symbol, args, ...)                                          \
	do {                                                             \
		int rc_ = (int)symbol args;                              \
                                                                         \
		said(TEXT(symbol), rc_, &(struct given){ __VA_ARGS__ }); \
	} while (0)

#define SIZES "global=10,18,28 local=5,6,7 shared_memory="
#define SMALL "global=64 local=32 shared_memory="
static const struct sim_kernel code[] = { { .name = "_Z4workv" }, { .name = NULL } };
static const struct sim_image image = { SIM_IMAGE, code };
static void *from_before; /* memory of step 1 */

/* What one kernel is given on one grid, in turn: none, the same again, others, and back. */
static const unsigned int shared[] = { 0, 0, 512, 512, 0, 512, 1024, 1024, 1024, 1024, 1024, 512, 0, 0, 1025 };
#define SHARED (sizeof(shared) / sizeof(*shared))

static const char *small_with(unsigned int bytes)
{
	static char text[64];

	snprintf(text, sizeof(text), SMALL "%u", bytes);
	return text;
}

#define LAST(text, letter) ok((text)[strlen(text) - 1] != (letter), "what was copied")

#ifdef DRIVER
#include "tests/sims/cuda/load.h"
static CUstream own;
static CUfunction kernel;

static void start(void)
{
	load_kernels(&image, code, &kernel);
	OK(cuStreamCreate(&own, SIM_STREAM_NON_BLOCKING));
}

#define AT(number) (void *)(number)

/* Whose addresses and whose memory come from different calls, or were there before. */
static void give_parts(void)
{
	static char had[4096];
	const size_t size = 2 << 20;
	char properties[256] = "";
	CUmemGenericAllocationHandle_v1 memory = 0;
	CUdeviceptr_v2 a = 0, place = 0;
	CUmemoryPool pool;

	OK(cuMemPoolCreate(&pool, (void *)properties));
	GIVE(cuMemAllocFromPoolAsync, (&a, 3072, pool, own), 3072, AT(a), .stream = OWN);
	GIVE(cuMemFreeAsync, (a, own), 3072, AT(a), .stream = OWN);
	OK(cuMemPoolDestroy(pool));
	GIVE(cuMemHostRegister_v2, (had, 4096, 0), 4096, had);
	GIVE(cuMemHostUnregister, (had), 0, had);
	GIVE(cuMemAddressReserve, (&place, size, 0, 0, 0), size, AT(place));
	GIVE(cuMemCreate, (&memory, size, (void *)properties, 0), size, AT(memory));
	GIVE(cuMemMap, (place, size, 0, memory, 0), size, AT(place));
	GIVE(cuMemUnmap, (place, size), size, AT(place));
	GIVE(cuMemRelease, (memory), size, AT(memory));
	GIVE(cuMemAddressFree, (place, size), size, AT(place));
}

static void give(void)
{
	CUdeviceptr_v2 a = 0, b = 0, wide = 0, none = 0, managed = 0, pooled = 0;
	char here[256] = "what is copied", back[256];
	void *pinned = NULL;
	size_t pitch, first = 0, failed;
	CUmemLocation_v1 place = { 1, 0 };
	char attributes[64] = "";

	GIVE(cuMemAlloc_v2, (&a, 4096), 4096, AT(a));
	GIVE(cuMemAlloc_v2, (&b, 8192), 8192, AT(b));
	GIVE(cuMemAlloc_v2, (&none, 1ul << 50), 0);
	GIVE(cuMemAllocPitch_v2, (&wide, &pitch, 100, 8, 4), pitch * 8, AT(wide));
	GIVE(cuMemAllocManaged, (&managed, 1024, 1), 1024, AT(managed));
	GIVE(cuMemHostAlloc, (&pinned, 512, 0), 512, pinned);
	GIVE(cuMemAllocAsync, (&pooled, 2048, own), 2048, AT(pooled), .stream = OWN);
	GIVE(cuMemcpyHtoD_v2, (a, here, 15), 15, AT(a), here, "h2d", "null");
	GIVE(cuMemcpyHtoDAsync_v2, (b, here, 14, own), 14, AT(b), here, "h2d", OWN);
	GIVE(cuMemcpyDtoDAsync_v2, (b + 100, a, 15, own), 15, AT(b + 100), AT(a), "d2d", OWN);
	GIVE(cuMemcpyDtoHAsync_v2, (back, b + 100, 15, own), 15, back, AT(b + 100), "d2h", OWN);
	GIVE(cuMemcpyDtoH_v2, (back + 20, a, 13), 13, back + 20, AT(a), "d2h", "null");
	GIVE(cuMemcpyAsync, (a, b, 12, own), 12, AT(a), AT(b), "other", OWN);
	GIVE(cuMemcpyHtoDAsync_v2, (a, here, 16, (CUstream)here), .stream = NULL);
	{
		CUDA_MEMCPY2D_v2 c = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = here, .srcPitch = 32, .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = wide, .dstPitch = pitch, .WidthInBytes = 24, .Height = 3 };
		CUDA_MEMCPY3D_v2 d = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = a, .srcPitch = 32, .srcHeight = 4, .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = b, .dstPitch = 32, .dstHeight = 4, .WidthInBytes = 16, .Height = 4, .Depth = 2 };

		GIVE(cuMemcpy2DAsync_v2, (&c, own), 72, AT(wide), here, "h2d", OWN);
		GIVE(cuMemcpy3DAsync_v2, (&d, own), 128, AT(b), AT(a), "d2d", OWN);
	}
	GIVE(cuMemsetD8_v2, (a, 1, 77), 77, AT(a), .stream = "null");
	GIVE(cuMemsetD8Async, (a, 1, 78, own), 78, AT(a), .stream = OWN);
	GIVE(cuMemsetD16Async, (a, 1, 79, own), 158, AT(a), .stream = OWN);
	GIVE(cuMemsetD32Async, (a, 1, 80, own), 320, AT(a), .stream = OWN);
	GIVE(cuMemsetD2D32Async, (wide, pitch, 1, 5, 6, own), 120, AT(wide), .stream = OWN);
	GIVE(cuMemcpyBatchAsync, (((CUdeviceptr_v2[]){ a, b }), ((CUdeviceptr_v2[]){ b, a }), ((size_t[]){ 10, 20 }), 2, (void *)attributes, &first, 1, &failed, own),
	     30, AT(a), AT(b), "other", OWN, 2);
	GIVE(cuMemcpyBatchAsync_v2, (((CUdeviceptr_v2[]){ b, a }), ((CUdeviceptr_v2[]){ a, b }), ((size_t[]){ 30, 20 }), 2, (void *)attributes, &first, 1, own),
	     50, AT(b), AT(a), "other", OWN, 2);
	GIVE(cuMemPrefetchAsync, (managed, 256, 0, own), 256, AT(managed), NULL, "other", OWN);
	GIVE(cuMemPrefetchAsync_v2, (managed, 512, place, 0, own), 512, AT(managed), NULL, "other", OWN);
	GIVE(cuLaunchKernel, (kernel, 2, 3, 4, 5, 6, 7, 0, own, NULL, NULL), .stream = OWN, .sizes = SIZES "0");
	for (size_t i = 0; i < SHARED; i++)
		GIVE(cuLaunchKernel, (kernel, 2, 1, 1, 32, 1, 1, shared[i], own, NULL, NULL), .stream = OWN, .sizes = small_with(shared[i]));
	GIVE(cuLaunchKernel, (kernel, 2, 1, 1, 32, 1, 1, 1025, NULL, NULL, NULL), .stream = "null", .sizes = SMALL "1025");
	GIVE(cuLaunchKernel, (kernel, 2, 1, 1, 32, 1, 1, 1025, (CUstream)here, NULL, NULL), .stream = NULL);
	GIVE(cuLaunchCooperativeKernel, (kernel, 2, 3, 4, 5, 6, 7, 96, own, NULL), .stream = OWN, .sizes = SIZES "96");
	{
		CUlaunchConfig config = { .gridDimX = 2, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 32, .blockDimY = 1, .blockDimZ = 1, .sharedMemBytes = 640, .hStream = NULL };

		GIVE(cuLaunchKernelEx, (&config, kernel, NULL, NULL), .stream = "null", .sizes = SMALL "640");
		config.sharedMemBytes = 641;
		GIVE(cuLaunchKernelEx, (&config, kernel, NULL, NULL), .stream = "null", .sizes = SMALL "641");
	}
	give_parts();
	GIVE(cuMemFreeAsync, (pooled, own), 2048, AT(pooled), .stream = OWN);
	OK(cuStreamSynchronize(own));
	LAST(back, 'd');
	GIVE(cuMemFreeHost, (pinned), 512, pinned);
	GIVE(cuMemFree_v2, (managed), 1024, AT(managed));
	GIVE(cuMemFree_v2, (wide), pitch * 8, AT(wide));
	GIVE(cuMemFree_v2, (b), 8192, AT(b));
	if (from_before)
		GIVE(cuMemFree_v2, ((CUdeviceptr_v2)from_before), 4096, from_before);
	from_before = AT(a);
}
#else
static cudaStream_t own;
static const char stub[16];
static const struct sim_fat_binary fat = { SIM_FAT_BINARY, 1, &image, NULL };
static char symbol[64]; /* stands for a variable of the device */

__attribute__((constructor)) static void registering(void)
{
	void **handle = __cudaRegisterFatBinary((void *)&fat);

	__cudaRegisterFunction(handle, stub, (char *)stub, code[0].name, -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterVar(handle, symbol, symbol, "symbol", 0, sizeof(symbol), 0, 0);
	__cudaRegisterFatBinaryEnd(handle);
}

static void start(void)
{
	OK(cudaSetDevice(0));
	OK(cudaStreamCreateWithFlags(&own, SIM_STREAM_NON_BLOCKING));
}

/* Whose parameters differ between majors: the functions, and one of the driver's that each of them is a version of. */
#if MAJOR == 12
#define BATCH(to, from, sizes, on) (to, (void *)from, sizes, 2, (void *)attributes, &first, 1, &failed, on)
#define PREFETCH(what, n, on)	   (what, n, 0, on)
#define CAPTURE_INFO(on)	   (on, &status, &id)
#define OF_THE_DRIVER		   cuMemcpyBatchAsync
#else
#define BATCH(to, from, sizes, on) (to, from, sizes, 2, (void *)attributes, &first, 1, on)
#define PREFETCH(what, n, on)	   (what, n, ((cudaMemLocation){ 1, 0 }), 0, on)
#define CAPTURE_INFO(on)	   (on, &status, &id, NULL, NULL, NULL, NULL)
#define OF_THE_DRIVER		   cuMemcpyBatchAsync_v2
#endif

static void differing(char *a, char *b, void *managed)
{
	char attributes[64] = "";
	size_t first = 0, failed __attribute__((unused));
	unsigned long long id = 0;
	cudaStreamCaptureStatus status = 0;
	cudaGraph_t graph;
	void *entry = NULL;
	int found;

	GIVE(THREAD_S(cudaMemcpyBatchAsync), BATCH(((void *[]){ a, b }), ((const void *[]){ b, a }), ((size_t[]){ 10, 20 }), own),
	     30, a, b, "other", OWN, 2);
	GIVE(THREAD_S(cudaMemcpyBatchAsync), BATCH(((void *[]){ a, b }), ((const void *[]){ NULL, a }), ((size_t[]){ 10, 20 }), (cudaStream_t)a),
	     .direction = "other", .items = 2);
	GIVE(THREAD_S(cudaMemPrefetchAsync), PREFETCH(managed, 256, own), 256, managed, NULL, "other", OWN);
	GIVE(THREAD_S(cudaMemPrefetchAsync), PREFETCH(managed, 128, NULL), 128, managed, NULL, "other", "null");
	OK(cudaGetDriverEntryPoint("cuMemcpyBatchAsync", &entry, 1, &found));
	{
		__typeof__(&OF_THE_DRIVER) OF_THE_DRIVER = (__typeof__(OF_THE_DRIVER))entry;
		CUdeviceptr_v2 to[] = { (CUdeviceptr_v2)b, (CUdeviceptr_v2)a }, from[] = { (CUdeviceptr_v2)a, (CUdeviceptr_v2)b };

		GIVE(OF_THE_DRIVER, BATCH(to, from, ((size_t[]){ 15, 7 }), own), 22, b, a, "other", OWN, 2);
	}
	OK(THREAD_S(cudaStreamBeginCapture)(own, SIM_MODE_RELAXED));
	OK(THREAD_S(cudaStreamGetCaptureInfo) CAPTURE_INFO(own));
	OK(THREAD_S(cudaStreamEndCapture)(own, &graph));
	ok(status != SIM_CAPTURE_ACTIVE || !id, "cudaStreamGetCaptureInfo");
}

/* Memory of pools, of several dimensions, and what was there before. */
static void give_parts(void)
{
	static char had[4096];
	char properties[256] = "";
	cudaChannelFormatDesc channels = { 16, 16, 0, 0, 0 };
	cudaPitchedPtr solid = { 0 };
	cudaArray_t array = NULL;
	cudaMemPool_t pool;
	void *a = NULL;

	OK(cudaMemPoolCreate(&pool, (void *)properties));
	GIVE(THREAD_S(cudaMallocFromPoolAsync), (&a, 3072, pool, own), 3072, a, .stream = OWN);
	GIVE(THREAD_S(cudaFreeAsync), (a, own), 3072, a, .stream = OWN);
	OK(cudaMemPoolDestroy(pool));
	GIVE(cudaHostRegister, (had, 4096, 0), 4096, had);
	GIVE(cudaHostUnregister, (had), 0, had);
	GIVE(cudaMalloc3D, (&solid, (cudaExtent){ 100, 5, 3 }), solid.pitch * 15, solid.ptr);
	GIVE(cudaFree, (solid.ptr), solid.pitch * 15, solid.ptr);
	GIVE(cudaMallocArray, (&array, &channels, 30, 7, 0), 840, array);
	GIVE(cudaFreeArray, (array), 840, array);
}

static void give(void)
{
	char here[256] = "what is copied", back[256], *a = NULL, *b = NULL;
	void *none = NULL, *wide = NULL, *managed = NULL, *pinned = NULL, *pooled = NULL;
	size_t pitch;

	GIVE(cudaMalloc, ((void **)&a, 4096), 4096, a);
	GIVE(cudaMalloc, ((void **)&b, 8192), 8192, b);
	GIVE(cudaMalloc, (&none, 1ul << 50), 0);
	GIVE(cudaMallocPitch, (&wide, &pitch, 100, 8), pitch * 8, wide);
	GIVE(cudaMallocManaged, (&managed, 1024, 1), 1024, managed);
	GIVE(cudaHostAlloc, (&pinned, 512, 0), 512, pinned);
	GIVE(THREAD_S(cudaMallocAsync), (&pooled, 2048, own), 2048, pooled, .stream = OWN);
	GIVE(THREAD_D(cudaMemcpy), (a, here, 15, 1), 15, a, here, "h2d", "null");
	GIVE(THREAD_S(cudaMemcpyAsync), (b, here, 14, 1, own), 14, b, here, "h2d", OWN);
	GIVE(THREAD_S(cudaMemcpyAsync), (b + 100, a, 15, 3, own), 15, b + 100, a, "d2d", OWN);
	GIVE(THREAD_S(cudaMemcpyAsync), (back, b + 100, 15, 2, own), 15, back, b + 100, "d2h", OWN);
	GIVE(THREAD_D(cudaMemcpy), (back + 20, a, 13, 2), 13, back + 20, a, "d2h", "null");
	GIVE(THREAD_S(cudaMemcpyAsync), (a, b, 12, 4, own), 12, a, b, "other", OWN);
	GIVE(THREAD_S(cudaMemcpyAsync), (a, here, 16, 1, (cudaStream_t)here), .stream = NULL);
	GIVE(cudaMemcpyPeerAsync, (a, 0, b, 0, 11, own), 11, a, b, "d2d", OWN);
	GIVE(THREAD_D(cudaMemcpy2D), (wide, pitch, here, 32, 24, 3, 1), 72, wide, here, "h2d", "null");
	GIVE(THREAD_S(cudaMemcpy2DAsync), (wide, pitch, here, 32, 24, 4, 1, own), 96, wide, here, "h2d", OWN);
	{
		cudaMemcpy3DParms p = { .srcPtr = { a, 32, 16, 4 }, .dstPtr = { b, 32, 16, 4 }, .extent = { 16, 4, 2 }, .kind = 3 };

		GIVE(THREAD_S(cudaMemcpy3DAsync), (&p, own), 128, b, a, "d2d", OWN);
	}
	GIVE(THREAD_S(cudaMemcpyToSymbolAsync), (symbol, here, 9, 0, 1, own), 9, symbol, here, "h2d", OWN);
	GIVE(THREAD_D(cudaMemset), (a, 1, 77), 77, a, .stream = "null");
	GIVE(THREAD_S(cudaMemsetAsync), (a, 1, 78, own), 78, a, .stream = OWN);
	GIVE(THREAD_S(cudaMemset2DAsync), (wide, pitch, 1, 5, 6, own), 30, wide, .stream = OWN);
	differing(a, b, managed);
	GIVE(THREAD_S(cudaLaunchKernel), (stub, (dim3){ 2, 3, 4 }, (dim3){ 5, 6, 7 }, NULL, 0, own), .stream = OWN, .sizes = SIZES "0");
	for (size_t i = 0; i < SHARED; i++)
		GIVE(THREAD_S(cudaLaunchKernel), (stub, (dim3){ 2, 1, 1 }, (dim3){ 32, 1, 1 }, NULL, shared[i], own), .stream = OWN, .sizes = small_with(shared[i]));
	GIVE(THREAD_S(cudaLaunchKernel), (stub, (dim3){ 2, 1, 1 }, (dim3){ 32, 1, 1 }, NULL, 1025, NULL), .stream = "null", .sizes = SMALL "1025");
	GIVE(THREAD_S(cudaLaunchKernel), (stub, (dim3){ 2, 1, 1 }, (dim3){ 32, 1, 1 }, NULL, 1025, (cudaStream_t)here), .stream = NULL);
	{
		cudaLaunchConfig_t config = { .gridDim = { 2, 1, 1 }, .blockDim = { 32, 1, 1 }, .dynamicSmemBytes = 640, .stream = NULL };

		GIVE(THREAD_S(cudaLaunchKernelExC), (&config, stub, NULL), .stream = "null", .sizes = SMALL "640");
		config.dynamicSmemBytes = 641;
		GIVE(THREAD_S(cudaLaunchKernelExC), (&config, stub, NULL), .stream = "null", .sizes = SMALL "641");
	}
	GIVE(THREAD_S(cudaLaunchCooperativeKernel), (stub, (dim3){ 2, 3, 4 }, (dim3){ 5, 6, 7 }, NULL, 96, NULL), .stream = "null", .sizes = SIZES "96");
	give_parts();
	GIVE(THREAD_S(cudaFreeAsync), (pooled, own), 2048, pooled, .stream = OWN);
	OK(cudaStreamSynchronize(own));
	LAST(back, 'd');
	GIVE(cudaFreeHost, (pinned), 512, pinned);
	GIVE(cudaFree, (managed), 1024, managed);
	GIVE(cudaFree, (wide), pitch * 8, wide);
	GIVE(cudaFree, (b), 8192, b);
	if (from_before)
		GIVE(cudaFree, (from_before), 4096, from_before);
	from_before = a;
}
#endif

static void give_in(int its_step)
{
	if (its_step == 1)
		start();
	step = its_step;
	give();
	fflush(stdout);
}

#ifdef LIBRARY
void give_of_library(int its_step);
void give_of_library(int its_step)
{
	give_in(its_step);
}
#else
int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	void (*other)(int) = library ? (void (*)(int))dlsym(library, "give_of_library") : NULL;

	ok(argc > 1 && !other, "the library");
	for (int i = 1; i <= 2; i++) {
		if (ranktrace_step)
			ranktrace_step(i);
		give_in(i);
		if (other)
			other(i);
	}
	return 0;
}
#endif
