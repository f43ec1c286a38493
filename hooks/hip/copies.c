#include "hooks/hip/copies.h"
#include "agent/format/event.h"
#include "hooks/capture/runtime/arrays.h"

#define NO_COMPUTE_UNITS 1024 /* hipMemcpyDeviceToDeviceNoCU */

unsigned int hip_direction(hipMemcpyKind way)
{
	return way == NO_COMPUTE_UNITS ? DIR_D2D : copy_direction((uint32_t)way);
}

uint64_t hip_3d_bytes(const hipMemcpy3DParms *p)
{
	return p->srcArray || p->dstArray ? 0 : (uint64_t)p->extent.width * p->extent.height * p->extent.depth;
}

uint64_t hip_array_bytes(const hipChannelFormatDesc *channels, hipExtent extent, unsigned int levels)
{
	uint64_t bits = (uint64_t)(channels->x + channels->y + channels->z + channels->w);

	return array_bytes(bits / 8, (size_t[]){ extent.width, extent.height, extent.depth }, levels);
}
