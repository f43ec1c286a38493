/* c10.c - the row of PyTorch's allocator: an event for each piece, with what is handed out and held in all; then it is passed on. */
#include "hooks/cuda/torch/c10.h"
#include "hooks/capture/interned_names.h"
#include "hooks/capture/memory_pools.h"
#include "hooks/capture/wrap.h"

#define HOOK_OF(kind) HOOK__ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE_as_##kind

static uint16_t pool_of(uint8_t device)
{
	static _Atomic uint64_t pools[UINT8_MAX + 1]; /* generation << 32 | DEF_POOL id */
	uint64_t known = atomic_load(&pools[device]);
	struct def_pool d = { .device = device };
	bool matches;

	if (known && known >> 32 == session_generation)
		return (uint16_t)known;
	d.domain = name_id("PyTorch", &matches);
	if (d.domain == NAME_LATER)
		return 0;
	known = memory_pools_define(&d);
	if (known)
		atomic_store(&pools[device], (uint64_t)session_generation << 32 | known);
	return (uint16_t)known;
}

void c10_memory_slowly(const void *address, int64_t bytes, uint64_t allocated, uint64_t reserved, int8_t device, const void *caller)
{
	bool is_free = bytes < 0;
	unsigned int hook = is_free ? HOOK_OF(POOL_FREE) : HOOK_OF(POOL_ALLOC);
	uint64_t word = gate_load();
	struct call c = { .timed = false };

	if (!(word & gate_kind(is_free ? EV_POOL_FREE : EV_POOL_ALLOC))) {
		atomic_fetch_add_explicit(&session->unrecorded[HOOK_OF(POOL_ALLOC)], 1, memory_order_relaxed);
		return;
	}
	if (UNLIKELY(!hook_defined(HOOK__ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE)))
		hook_begin(HOOK__ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE, caller);
	if (!record_enter(&c, word, hook, is_free ? EV_POOL_FREE : EV_POOL_ALLOC))
		return;
	record_stop(&c);
	EV.stream = pool_of((uint8_t)device);
	EV.key = (uintptr_t)address;
	EV.arg = EVENT_ARG(is_free ? -(uint64_t)bytes : (uint64_t)bytes, DIR_NONE);
	c.has_totals = true;
	c.allocated = allocated;
	c.reserved = reserved;
	record_leave(&c);
}

#include "hooks/rows/table.h"
#include "hooks/cuda/torch/c10.def"
