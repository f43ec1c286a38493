/* copies.h - how many bytes a copy moves, whither and whence. All of it is looked at when the call has succeeded. */
#pragma once
#include "hooks/hip/abi/abi.h"

unsigned int hip_direction(hipMemcpyKind way);

/* Where an array or memory is, and how much is moved: not told where an array takes part, whose elements only the runtime knows. */
uint64_t hip_3d_bytes(const hipMemcpy3DParms *p);
#define HIP_END(array, pointer) ((array) ? (uintptr_t)(array) : (uintptr_t)(pointer).ptr)
#define hip_3d_to(p)		HIP_END((p)->dstArray, (p)->dstPtr)
#define hip_3d_from(p)		HIP_END((p)->srcArray, (p)->srcPtr)

/* Of an array, or of all levels of a mipmapped one. A dimension of 0 is not there. */
uint64_t hip_array_bytes(const hipChannelFormatDesc *channels, hipExtent extent, unsigned int levels);
