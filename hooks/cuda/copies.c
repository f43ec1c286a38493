#include "hooks/cuda/copies.h"
#include "hooks/capture/runtime/arrays.h"

unsigned int cuda_direction(cudaMemcpyKind way)
{
	return copy_direction((uint32_t)way);
}

unsigned int cuda_direction_between(CUmemorytype from, CUmemorytype to)
{
	if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED)
		return DIR_OTHER;
	if (from == CU_MEMORYTYPE_HOST)
		return to == CU_MEMORYTYPE_HOST ? DIR_H2H : DIR_H2D;
	return to == CU_MEMORYTYPE_HOST ? DIR_D2H : DIR_D2D;
}

/* The width is in elements where an array takes part, whose size only the runtime knows, and then not told. */
static uint64_t extent_bytes(const cudaExtent *e, cudaArray_const_t from, cudaArray_const_t to)
{
	return from || to ? 0 : (uint64_t)e->width * e->height * e->depth;
}

uint64_t cuda_3d_bytes(const cudaMemcpy3DParms *p)
{
	return extent_bytes(&p->extent, p->srcArray, p->dstArray);
}

uint64_t cuda_peer_bytes(const cudaMemcpy3DPeerParms *p)
{
	return extent_bytes(&p->extent, p->srcArray, p->dstArray);
}

uint64_t cuda_place(CUmemorytype type, uint64_t host, uint64_t device, uint64_t array)
{
	if (type == CU_MEMORYTYPE_HOST)
		return host;
	return type == CU_MEMORYTYPE_ARRAY ? array : device;
}

uint64_t cuda_array_bytes(const cudaChannelFormatDesc *channels, size_t width, size_t height, size_t depth, unsigned int levels)
{
	uint64_t bits = (uint64_t)(channels->x + channels->y + channels->z + channels->w);

	return array_bytes(bits / 8, (size_t[]){ width, height, depth }, levels);
}
