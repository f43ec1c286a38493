/* shmem.c - libshmem: shared memory of a single device. It stands on AscendCL, as the vendor's does. */
#include "tests/sims/ascend/declare.h"
#include "tests/sims/lib/sim.h"

void *do_aclshmem_malloc(size_t size)
{
	void *address = NULL;

	return aclrtMalloc(&address, size, 0) ? NULL : address;
}

void do_aclshmem_free(void *ptr)
{
	aclrtFree(ptr);
}

void *do_shmem_malloc(size_t size)
{
	return do_aclshmem_malloc(size);
}

void do_shmem_free(void *ptr)
{
	do_aclshmem_free(ptr);
}

void do_aclshmemx_putmem_on_stream(void *dst, void *src, size_t size, int32_t pe, aclrtStream stream)
{
	aclrtMemcpyAsync(dst, size, src, size, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
}

void do_aclshmemx_getmem_on_stream(void *dst, void *src, size_t size, int32_t pe, aclrtStream stream)
{
	aclrtMemcpyAsync(dst, size, src, size, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
}
