/*
 * library.c - see library.h. Kernels are registered when their operator is first called, and launched by the library's own copy of
 * the runtime, as NVIDIA's are.
 */
#undef DECLARED
#define DECLARED "libcudart.so.13.def"
#include "tests/sims/cuda/library.h"
#include "tests/sims/cuda/declare.h"
#include "tests/sims/lib/sim.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HANDLE	0x51e1ab1e
#define KERNELS 1024

struct handle {
	uint32_t magic;
	cudaStream_t stream;
};

static struct handle none = { .magic = HANDLE };

/* ---- handles ---- */

int library_made(void **object, size_t size)
{
	if (!object)
		return LIBRARY_INVALID;
	*object = calloc(1, size);
	return 0;
}

int library_handle(void **handle)
{
	int rc = library_made(handle, sizeof(struct handle));

	if (!rc)
		((struct handle *)*handle)->magic = HANDLE;
	return rc;
}

static struct handle *known(void *handle)
{
	struct handle *h = handle ? handle : &none;

	return h->magic == HANDLE ? h : NULL;
}

int library_end(void *handle)
{
	struct handle *h = handle ? known(handle) : NULL;

	if (!h)
		return LIBRARY_INVALID;
	h->magic = 0;
	free(h);
	return 0;
}

int library_set_stream(void *handle, cudaStream_t stream)
{
	struct handle *h = known(handle);

	if (h)
		h->stream = stream;
	return h ? 0 : LIBRARY_INVALID;
}

cudaStream_t library_stream(void *handle)
{
	struct handle *h = known(handle);

	return h ? h->stream : (void *)-1;
}

/* ---- kernels ---- */

static const char code[] = "device code";
static const struct sim_fat_binary fat = { SIM_FAT_BINARY, 1, code, NULL };
static struct {
	const char *operator;
	char name[128];
} kernels[KERNELS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Its place stands for the kernel. */
static const void *stub_of(const char *operator)
{
	static void **registered;
	int i = 0;

	pthread_mutex_lock(&lock);
	if (!registered)
		registered = __cudaRegisterFatBinary((void *)&fat);
	while (i < KERNELS - 1 && kernels[i].operator&& kernels[i].operator!= operator)
		i++;
	if (!kernels[i].operator) {
		kernels[i].operator= operator;
		snprintf(kernels[i].name, sizeof(kernels[i].name), "%s_kernel", operator);
		__cudaRegisterFunction(registered, (char *)&kernels[i], (char *)&kernels[i], kernels[i].name, -1, NULL, NULL, NULL, NULL, NULL);
	}
	pthread_mutex_unlock(&lock);
	return &kernels[i];
}

int library_launch(const char *operator, cudaStream_t stream)
{
	dim3 grid = { 8, 1, 1 }, block = { 128, 1, 1 };

	if (stream == (void *)-1) /* no handle of ours */
		return LIBRARY_INVALID;
	return cudaLaunchKernel(stub_of(operator), grid, block, NULL, 0, stream) ? LIBRARY_FAILED : 0;
}
