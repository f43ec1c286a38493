/*
 * cupti.c - counts kernels, and copies and fills of no graph, by CUPTI, in a program that CUDA's driver loads this into
 * (CUDA_INJECTION64_PATH), and writes `kernel n NAME`, `copies n`, `fills n` to GPU_CUPTI in the end. Built against CUPTI's own headers,
 * where there are any; later forms of its records begin as these do.
 */
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES	 4096
#define ROOM	 (1 << 20)
#define ALIGNED	 8
#define EXPORTED __attribute__((visibility("default")))

static struct {
	char *name;
	unsigned long n;
} kernels[NAMES];
static unsigned long copies, fills;

static void count_kernel(const char *name)
{
	int i = 0;

	while (i < NAMES - 1 && kernels[i].name && strcmp(kernels[i].name, name))
		i++;
	if (!kernels[i].name)
		kernels[i].name = strdup(name);
	kernels[i].n++;
}

static void count(CUpti_Activity *record)
{
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_KERNEL:
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: count_kernel(((CUpti_ActivityKernel4 *)record)->name); break;
	case CUPTI_ACTIVITY_KIND_MEMCPY: copies += !((CUpti_ActivityMemcpy3 *)record)->graphNodeId; break;
	case CUPTI_ACTIVITY_KIND_MEMSET: fills += !((CUpti_ActivityMemset2 *)record)->graphNodeId; break;
	default: break;
	}
}

static void CUPTIAPI give(uint8_t **buffer, size_t *size, size_t *records)
{
	*buffer = aligned_alloc(ALIGNED, ROOM);
	*size = *buffer ? ROOM : 0;
	*records = 0;
}

static void CUPTIAPI take(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	CUpti_Activity *record = NULL;

	(void)context, (void)stream, (void)size;
	while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
		count(record);
	free(buffer);
}

static void finish(void)
{
	FILE *f = fopen(getenv("GPU_CUPTI") ? getenv("GPU_CUPTI") : "/dev/null", "w");

	cuptiActivityFlushAll(1);
	for (int i = 0; f && i < NAMES && kernels[i].name; i++)
		fprintf(f, "kernel %lu %s\n", kernels[i].n, kernels[i].name);
	if (f) {
		fprintf(f, "copies %lu\nfills %lu\n", copies, fills);
		fclose(f);
	}
}

EXPORTED int InitializeInjection(void)
{
	if (cuptiActivityRegisterCallbacks(give, take) || cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) ||
	    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY) || cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET))
		return 0;
	atexit(finish);
	return 1;
}
