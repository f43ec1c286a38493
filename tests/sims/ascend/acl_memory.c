/* acl_memory.c - AscendCL: memory. */
#include "tests/sims/ascend/below.h"

static int allocate(void **address, size_t size)
{
	return BELOW(rtMalloc(address, size, 0, 0), sim_malloc(address, size, true));
}

static int allocate_host(void **address, size_t size)
{
	return BELOW(rtMallocHost(address, size, 0), sim_malloc(address, size, false));
}

static int release(void *address)
{
	return BELOW(rtFree(address), sim_free(address));
}

static int release_host(void *address)
{
	return BELOW(rtFreeHost(address), sim_free(address));
}

aclError do_aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return allocate(devPtr, size ? size + 32 : 0); /* as the vendor's does */
}

aclError do_aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return allocate(devPtr, size);
}

aclError do_aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return allocate(devPtr, size);
}

aclError do_aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig *cfg)
{
	return allocate(devPtr, size);
}

aclError do_aclrtMemAllocManaged(void **ptr, uint64_t size, uint32_t flag)
{
	return allocate(ptr, size);
}

aclError do_aclrtMemPoolMallocAsync(void **ptr, size_t size, aclrtMemPool memPool, aclrtStream stream)
{
	return allocate(ptr, size);
}

aclError do_aclrtMallocHost(void **hostPtr, size_t size)
{
	return allocate_host(hostPtr, size);
}

aclError do_aclrtMallocHostWithCfg(void **ptr, uint64_t size, aclrtMallocConfig *cfg)
{
	return allocate_host(ptr, size);
}

aclError do_aclrtFree(void *devPtr)
{
	return release(devPtr);
}

aclError do_aclrtFreeWithDevSync(void *devPtr)
{
	sim_device_wait();
	return release(devPtr);
}

aclError do_aclrtMemPoolFreeAsync(void *ptr, aclrtStream stream)
{
	return release(ptr);
}

aclError do_aclrtFreeHost(void *hostPtr)
{
	return release_host(hostPtr);
}

aclError do_aclrtFreeHostWithDevSync(void *hostPtr)
{
	sim_device_wait();
	return release_host(hostPtr);
}

aclError do_aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr)
{
	*devPtr = ptr;
	return 0;
}

aclError do_aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total)
{
	sim_memory_left(free, total);
	return 0;
}

aclError do_aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop, aclrtMemGranularityOptions option, size_t *granularity)
{
	*granularity = 2 << 20;
	return 0;
}

/* ---- virtual memory ---- */

aclError do_aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr, uint64_t flags)
{
	return BELOW(rtReserveMemAddress(virPtr, size, alignment, expectPtr, flags), sim_reserve(virPtr, size));
}

aclError do_aclrtReserveMemAddressNoUCMemory(void **virPtr, size_t size, size_t alignment, void *expectPtr, uint64_t flags)
{
	return sim_reserve(virPtr, size);
}

aclError do_aclrtReleaseMemAddress(void *virPtr)
{
	return sim_release(virPtr);
}

aclError do_aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size, const aclrtPhysicalMemProp *prop, uint64_t flags)
{
	return BELOW(rtMallocPhysical(handle, size, (void *)prop, flags), sim_physical(handle, size));
}

aclError do_aclrtFreePhysical(aclrtDrvMemHandle handle)
{
	return BELOW(rtFreePhysical(handle), sim_physical_free(handle));
}

aclError do_aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags)
{
	return BELOW(rtMapMem(virPtr, size, offset, handle, flags), sim_map(virPtr, size, handle));
}

aclError do_aclrtUnmapMem(void *virPtr)
{
	return sim_unmap(virPtr);
}
