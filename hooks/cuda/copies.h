/* copies.h - how many bytes a copy moves, whither and whence. All of it is looked at when the call has succeeded. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/event.h"
#include "hooks/cuda/abi/abi.h"

unsigned int cuda_direction(cudaMemcpyKind way);
unsigned int cuda_direction_between(CUmemorytype from, CUmemorytype to);

/* Of the runtime's structures: where an array or memory is, and how much is moved. */
uint64_t cuda_3d_bytes(const cudaMemcpy3DParms *p);
uint64_t cuda_peer_bytes(const cudaMemcpy3DPeerParms *p);

#define CUDA_END(array, pointer) ((array) ? (uintptr_t)(array) : (uintptr_t)(pointer).ptr)
#define cuda_3d_to(p)		 CUDA_END((p)->dstArray, (p)->dstPtr)
#define cuda_3d_from(p)		 CUDA_END((p)->srcArray, (p)->srcPtr)
#define cuda_peer_to		 cuda_3d_to
#define cuda_peer_from		 cuda_3d_from

/* Of the driver's, whose generations have members of other sizes. */
#define DIRECTION_OF(p)		 cuda_direction_between((p)->srcMemoryType, (p)->dstMemoryType)
#define BYTES_2D(p)		 ((uint64_t)(p)->WidthInBytes * (p)->Height)
#define BYTES_3D(p)		 (BYTES_2D(p) * (p)->Depth)
#define PLACE_TO(p)		 (p)->dstMemoryType, (uintptr_t)(p)->dstHost, (p)->dstDevice, (uintptr_t)(p)->dstArray
#define PLACE_FROM(p)		 (p)->srcMemoryType, (uintptr_t)(p)->srcHost, (p)->srcDevice, (uintptr_t)(p)->srcArray
uint64_t cuda_place(CUmemorytype type, uint64_t host, uint64_t device, uint64_t array);

/* Of an array, or of all levels of a mipmapped one. A dimension of 0 is not there. */
uint64_t cuda_array_bytes(const cudaChannelFormatDesc *channels, size_t width, size_t height, size_t depth, unsigned int levels);
