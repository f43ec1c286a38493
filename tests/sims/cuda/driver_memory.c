/* driver_memory.c - memory of devices, of the host, of pools, and virtual memory. */
#include "tests/sims/cuda/driver.h"
#include <stdlib.h>
#include <string.h>

/* ---- plain: what captures of the global mode forbid ---- */

static int allocate(void **address, size_t size, bool on_device)
{
	int rc = driver_context() ? driver_unsafe() : SIM_ERROR_INVALID_CONTEXT;

	return rc ? rc : sim_malloc(address, size, on_device);
}

/* What is freed is no longer worked with: the device is waited for. */
static int release(void *address)
{
	int rc = address ? driver_unsafe() : 0;

	if (!rc && address)
		rc = sim_free(address);
	if (!rc && address && driver_context())
		sim_device_wait();
	return rc;
}

CUresult do_cuMemAlloc_v2(CUdeviceptr_v2 *dptr, size_t bytesize)
{
	return allocate((void **)dptr, bytesize, true);
}

CUresult do_cuMemAllocManaged(CUdeviceptr_v2 *dptr, size_t bytesize, unsigned int flags)
{
	return allocate((void **)dptr, bytesize, true);
}

CUresult do_cuMemAllocPitch_v2(CUdeviceptr_v2 *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height, unsigned int ElementSizeBytes)
{
	*pPitch = (WidthInBytes + 511) / 512 * 512;
	return allocate((void **)dptr, *pPitch * Height, true);
}

CUresult do_cuMemFree_v2(CUdeviceptr_v2 dptr)
{
	return release((void *)dptr);
}

CUresult do_cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
	return allocate(pp, bytesize, false);
}

CUresult do_cuMemAllocHost_v2(void **pp, size_t bytesize)
{
	return allocate(pp, bytesize, false);
}

CUresult do_cuMemFreeHost(void *p)
{
	return release(p);
}

CUresult do_cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags)
{
	return p && bytesize ? 0 : SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuMemHostUnregister(void *p)
{
	return p ? 0 : SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuMemHostGetDevicePointer_v2(CUdeviceptr_v2 *pdptr, void *p, unsigned int Flags)
{
	*pdptr = (CUdeviceptr_v2)p;
	return 0;
}

CUresult do_cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
	*pFlags = 0;
	return 0;
}

/* ---- asking ---- */

CUresult do_cuMemGetInfo_v2(size_t *free_, size_t *total)
{
	sim_memory_left(free_, total);
	return driver_context() ? 0 : SIM_ERROR_INVALID_CONTEXT;
}

CUresult do_cuMemGetAddressRange_v2(CUdeviceptr_v2 *pbase, size_t *psize, CUdeviceptr_v2 dptr)
{
	const void *begin;
	size_t size = sim_around((void *)dptr, &begin);

	if (pbase)
		*pbase = (CUdeviceptr_v2)begin;
	if (psize)
		*psize = size;
	return size ? 0 : SIM_ERROR_NOT_FOUND;
}

CUresult do_cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr_v2 ptr)
{
	const void *begin;

	if (!sim_around((void *)ptr, &begin))
		return SIM_ERROR_INVALID_VALUE;
	switch (attribute) {
	case 1: *(void **)data = driver_context(); return 0;
	case 2: *(unsigned int *)data = CU_MEMORYTYPE_DEVICE; return 0;
	case 3:
	case 4: *(CUdeviceptr_v2 *)data = ptr; return 0;
	case 8: *(bool *)data = false; return 0;
	case 9: *(int *)data = sim_device(); return 0;
	}
	return SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data, CUdeviceptr_v2 ptr)
{
	for (unsigned int i = 0; i < numAttributes; i++)
		do_cuPointerGetAttribute(data[i], attributes[i], ptr);
	return 0;
}

/* -1: to the host */
static int prefetch(int device, CUstream stream)
{
	if (device < -1 || device >= sim_devices())
		return SIM_ERROR_INVALID_DEVICE;
	return driver_submit(stream, &(struct sim_task){ .kind = SIM_NOTHING, .name = "prefetch" });
}

CUresult do_cuMemPrefetchAsync(CUdeviceptr_v2 devPtr, size_t count, CUdevice_v1 dstDevice, CUstream hStream)
{
	return prefetch(dstDevice, hStream);
}

CUresult do_cuMemPrefetchAsync_v2(CUdeviceptr_v2 devPtr, size_t count, CUmemLocation_v1 location, unsigned int flags, CUstream hStream)
{
	enum { DEVICE = 1,
	       HOST };

	if (flags || location.type < DEVICE || location.type > HOST)
		return SIM_ERROR_INVALID_VALUE;
	return prefetch(location.type == DEVICE ? location.id : -1, hStream);
}

CUresult do_cuMemAdvise(CUdeviceptr_v2 devPtr, size_t count, CUmem_advise advice, CUdevice_v1 device)
{
	return 0;
}

CUresult do_cuMemAdvise_v2(CUdeviceptr_v2 devPtr, size_t count, CUmem_advise advice, CUmemLocation_v1 location)
{
	return 0;
}

/* ---- pools: an allocation is the stream's work, and takes no time ---- */

struct pool {
	uint32_t magic;
};
static struct pool default_pool = { SIM_POOL };

static int in_stream(CUstream given, const char *name)
{
	return driver_submit(given, &(struct sim_task){ .kind = SIM_NOTHING, .name = name });
}

CUresult do_cuMemAllocFromPoolAsync(CUdeviceptr_v2 *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream)
{
	int rc = sim_is(pool, SIM_POOL) ? in_stream(hStream, "alloc") : SIM_ERROR_INVALID_VALUE;

	return rc ? rc : sim_malloc((void **)dptr, bytesize, true);
}

CUresult do_cuMemAllocAsync(CUdeviceptr_v2 *dptr, size_t bytesize, CUstream hStream)
{
	return do_cuMemAllocFromPoolAsync(dptr, bytesize, &default_pool, hStream);
}

CUresult do_cuMemFreeAsync(CUdeviceptr_v2 dptr, CUstream hStream)
{
	int rc = in_stream(hStream, "free");

	return rc ? rc : sim_free((void *)dptr);
}

CUresult do_cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps_v1 *poolProps)
{
	struct pool *p = calloc(1, sizeof(*p));

	p->magic = SIM_POOL;
	*pool = p;
	return 0;
}

CUresult do_cuMemPoolDestroy(CUmemoryPool pool)
{
	if (!sim_is(pool, SIM_POOL) || pool == &default_pool)
		return SIM_ERROR_INVALID_VALUE;
	free(pool);
	return 0;
}

static int is_pool(CUmemoryPool pool)
{
	return sim_is(pool, SIM_POOL) ? 0 : SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)
{
	return is_pool(pool);
}

CUresult do_cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
	return is_pool(pool);
}

CUresult do_cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
	memset(value, 0, attr < 4 ? 4 : 8);
	return is_pool(pool);
}

CUresult do_cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc_v1 *map, size_t count)
{
	return is_pool(pool);
}

CUresult do_cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice_v1 dev)
{
	*pool_out = &default_pool;
	return 0;
}

CUresult do_cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice_v1 dev)
{
	*pool = &default_pool;
	return 0;
}

CUresult do_cuDeviceSetMemPool(CUdevice_v1 dev, CUmemoryPool pool)
{
	return is_pool(pool);
}

/* ---- virtual ---- */

CUresult do_cuMemAddressReserve(CUdeviceptr_v2 *ptr, size_t size, size_t alignment, CUdeviceptr_v2 addr, unsigned long long flags)
{
	return sim_reserve((void **)ptr, size);
}

CUresult do_cuMemAddressFree(CUdeviceptr_v2 ptr, size_t size)
{
	return sim_release((void *)ptr);
}

CUresult do_cuMemCreate(CUmemGenericAllocationHandle_v1 *handle, size_t size, const CUmemAllocationProp_v1 *prop, unsigned long long flags)
{
	return sim_physical((void **)handle, size);
}

CUresult do_cuMemRelease(CUmemGenericAllocationHandle_v1 handle)
{
	return sim_physical_free((void *)handle);
}

CUresult do_cuMemMap(CUdeviceptr_v2 ptr, size_t size, size_t offset, CUmemGenericAllocationHandle_v1 handle, unsigned long long flags)
{
	return sim_map((void *)ptr, size, (void *)handle);
}

CUresult do_cuMemUnmap(CUdeviceptr_v2 ptr, size_t size)
{
	return sim_unmap((void *)ptr);
}

CUresult do_cuMemSetAccess(CUdeviceptr_v2 ptr, size_t size, const CUmemAccessDesc_v1 *desc, size_t count)
{
	return 0;
}

CUresult do_cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp_v1 *prop, CUmemAllocationGranularity_flags option)
{
	*granularity = 2 << 20;
	return 0;
}
