/*
 * npu_memory.c - memory as a program on CANN takes it and tells of it (mstx), all in step 1: by the header's injection
 * (mstx_slot), of several pieces at once, by handle and by pointer, and with nothing that can be read.
 */
#include "tests/sims/ascend/mstx.h"
#include <stdio.h>
#include <stdlib.h>

int aclrtReserveMemAddress(void **address, size_t size, size_t alignment, void *wanted, uint64_t flags);
int aclrtMallocPhysical(void **handle, size_t size, const void *properties, uint64_t flags);
int aclrtMapMem(void *address, size_t size, size_t offset, void *handle, uint64_t flags);
int aclrtUnmapMem(void *address);
int aclrtFreePhysical(void *handle);
int aclrtReleaseMemAddress(void *address);
int aclrtMallocHost(void **address, size_t size);
int aclrtFreeHost(void *address);

#define CHUNK ((size_t)2 << 20)

static int failed;
#define OK(call)                                     \
	do {                                         \
		if (call) {                          \
			printf("%s fails\n", #call); \
			failed = 1;                  \
		}                                    \
	} while (0)

/* As expandable segments: three chunks are mapped, two unmapped, one of which stays unfreed. */
static void segments(void)
{
	void *address = NULL, *chunks[3] = { NULL };

	OK(aclrtReserveMemAddress(&address, 16 * CHUNK, 0, NULL, 0));
	for (int i = 0; i < 3; i++) {
		OK(aclrtMallocPhysical(&chunks[i], CHUNK, NULL, 0));
		OK(aclrtMapMem((char *)address + (size_t)i * CHUNK, CHUNK, 0, chunks[i], 0));
	}
	for (int i = 0; i < 3; i++)
		OK(aclrtUnmapMem((char *)address + (size_t)i * CHUNK));
	OK(aclrtFreePhysical(chunks[0]));
	OK(aclrtFreePhysical(chunks[1]));
	OK(aclrtReleaseMemAddress(address));
}

static void pinned(void)
{
	void *a = NULL, *b = NULL;

	OK(aclrtMallocHost(&a, 4096));
	OK(aclrtMallocHost(&b, 1000));
	OK(aclrtFreeHost(a));
}

/* As the inline functions of the header do: nothing happens where nobody listens. */
#define SLOT(module, slot, ret, params, none, ...)                              \
	({                                                                      \
		ret(*function) params = (ret(*) params)mstx_slot(module, slot); \
		function ? function(__VA_ARGS__) : none;                        \
	})

static mstxDomainHandle_t domain(const char *name)
{
	return SLOT(MSTX_DOMAIN, MSTX_DOMAIN_CREATE, mstxDomainHandle_t, (const char *), NULL, name);
}

static mstxMemHeapHandle_t enter_heap(mstxDomainHandle_t in, const void *range)
{
	mstxMemHeapDesc_t heap = { 0, 0, range };

	return SLOT(MSTX_MEMORY, MSTX_HEAP_REGISTER, mstxMemHeapHandle_t, (mstxDomainHandle_t, const mstxMemHeapDesc_t *), NULL, in,
		    &heap);
}

static void leave_heap(mstxDomainHandle_t in, mstxMemHeapHandle_t heap)
{
	SLOT(MSTX_MEMORY, MSTX_HEAP_UNREGISTER, void, (mstxDomainHandle_t, mstxMemHeapHandle_t), (void)0, in, heap);
}

static void enter(mstxDomainHandle_t in, const mstxMemRegionsRegisterBatch_t *batch)
{
	SLOT(MSTX_MEMORY, MSTX_REGIONS_REGISTER, void, (mstxDomainHandle_t, const mstxMemRegionsRegisterBatch_t *), (void)0, in, batch);
}

static void leave(mstxDomainHandle_t in, const mstxMemRegionsUnregisterBatch_t *batch)
{
	SLOT(MSTX_MEMORY, MSTX_REGIONS_UNREGISTER, void, (mstxDomainHandle_t, const mstxMemRegionsUnregisterBatch_t *), (void)0, in,
	     batch);
}

static char memory[4096];

/* Four pieces at once, of which three are given back, again at once. */
static void pool(void)
{
	mstxDomainHandle_t in = domain("own pool");
	mstxMemVirtualRangeDesc_t all = { 3, memory, sizeof(memory) };
	mstxMemVirtualRangeDesc_t parts[] = { { 3, memory, 100 }, { 3, memory + 100, 200 }, { 3, memory + 300, 300 }, { 3, memory + 600, 400 } };
	mstxMemRegionHandle_t handles[4] = { NULL };
	mstxMemRegionRef_t references[] = { { 0, memory + 300 }, { 0, memory }, { 0, memory + 100 } };
	mstxMemHeapHandle_t heap = enter_heap(in, &all);

	enter(in, &(mstxMemRegionsRegisterBatch_t){ heap, 0, 4, parts, handles });
	leave(in, &(mstxMemRegionsUnregisterBatch_t){ 3, references });
	leave_heap(in, heap);
	if (domain("own pool") != in)
		printf("another domain of the same name\n");
}

/* Where no tool listens nobody looks: what a program gives need not be there. */
static void nonsense(void)
{
	mstxMemRegionRef_t unknown = { 1, memory };

	enter(NULL, NULL);
	enter(NULL, (void *)1);
	enter(NULL, &(mstxMemRegionsRegisterBatch_t){ (void *)1, 77, SIZE_MAX, (void *)-4096, (void *)1 });
	enter(NULL, &(mstxMemRegionsRegisterBatch_t){ (void *)1, 77, 0, NULL, NULL });
	leave(NULL, NULL);
	leave(NULL, &(mstxMemRegionsUnregisterBatch_t){ 1, (void *)1 });
	leave(NULL, &(mstxMemRegionsUnregisterBatch_t){ 1, &unknown });
	enter_heap(NULL, (void *)1);
	leave_heap(NULL, memory);
}

int main(void)
{
	segments();
	pinned();
	pool();
	nonsense();
	return failed;
}
