/* c10.h - what PyTorch's caching allocator tells of the memory of a GPU. */
#pragma once
#include "agent/base/attributes.h"
#include "agent/record/gate.h"
#include "hooks/cuda/torch/abi.h"

/* Between windows nothing of it is wanted: what is given back is said with its size. */
void c10_memory_slowly(const void *address, int64_t bytes, uint64_t allocated, uint64_t reserved, int8_t device, const void *caller);

ALWAYS_INLINE void c10_memory(const void *address, int64_t bytes, uint64_t allocated, uint64_t reserved, c10_device device)
{
	if (UNLIKELY((uint32_t)gate_load() & GATE_WINDOW) && device.type == C10_CUDA)
		c10_memory_slowly(address, bytes, allocated, reserved, device.index, __builtin_return_address(0));
}
