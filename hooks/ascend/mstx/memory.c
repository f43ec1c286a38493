#include "hooks/ascend/mstx/memory.h"
#include "agent/os/safe_read.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "hooks/capture/memory_pools.h"

#define PIECES_MAX 32768 /* of one call */
#define BY_HANDLE  1	 /* MSTX_MEM_REGION_REF_TYPE_HANDLE */

static struct handles pools;   /* domain, device and stock: a = DEF_POOL id */
static struct handles pieces;  /* domain, stock and address: a = bytes, b = DEF_POOL id and generation of the session */
static struct handles handles; /* domain, stock and the tool's handle: a = address */

static uint64_t key_of(mstxDomainHandle_t domain, bool stock, uint64_t value)
{
	uint64_t h = (markers_domain_name(&mstx_markers, domain) << 1 | stock) * 0x9E3779B97F4A7C15ull;

	return ((h ^ h >> 32) + value) * 0xC2B2AE3D27D4EB4Full | 1;
}

/* ---- pools ---- */

static uint16_t define_pool(uint64_t key, const struct def_pool *d)
{
	uint16_t id = memory_pools_define(d);

	if (id)
		handles_put(&pools, key, id, 0);
	return id;
}

static uint16_t pool_of(mstxDomainHandle_t domain, bool stock, uint32_t device)
{
	struct def_pool d = { .domain = markers_domain_name(&mstx_markers, domain), .device = device, .stock = stock };
	uint64_t key = key_of(domain, stock, (uint64_t)session_generation << 32 | device);
	struct handle_slot *s = handles_get(&pools, key);

	return s ? (uint16_t)atomic_load(&s->a) : define_pool(key, &d);
}

/* ---- pieces ---- */

static bool wanted(void)
{
	return settings.contents & CONTENT_MEMORY && gate_may_record();
}

static struct pool_piece take_in(mstxDomainHandle_t domain, bool stock, const mstxMemVirtualRangeDesc_t *range, bool keep)
{
	struct pool_piece p = { (uintptr_t)range->ptr, range->size, pool_of(domain, stock, range->deviceId) };

	if (keep)
		handles_put(&pieces, key_of(domain, stock, p.address), p.bytes, (uint64_t)session_generation << 32 | p.pool);
	return p;
}

/* What was taken in under this address or handle; keep: and is no more. */
static struct pool_piece give_back(mstxDomainHandle_t domain, bool stock, uint64_t value, bool keep)
{
	struct handle_slot *by_handle = handles_get(&handles, key_of(domain, stock, value)), *s;
	struct pool_piece p = { .address = by_handle ? atomic_load(&by_handle->a) : value };

	s = handles_get(&pieces, key_of(domain, stock, p.address));
	if (s) {
		p.bytes = atomic_load(&s->a);
		p.pool = atomic_load(&s->b) >> 32 == session_generation ? (uint16_t)atomic_load(&s->b) : 0;
	}
	if (s && keep)
		handles_forget(s);
	if (by_handle && keep)
		handles_forget(by_handle);
	return p;
}

/* ---- heaps ---- */

void mstx_new_heap(struct pool_piece *told, mstxDomainHandle_t domain, mstxMemHeapHandle_t heap, const mstxMemHeapDesc_t *desc,
		   bool keep)
{
	const mstxMemVirtualRangeDesc_t *range;

	if (!wanted() || !safe_read(desc, sizeof(*desc)))
		return;
	range = desc->typeSpecificDesc;
	if (!safe_read(range, sizeof(*range)))
		return;
	*told = take_in(domain, true, range, keep);
	if (heap && keep && (uintptr_t)heap != told->address)
		handles_put(&handles, key_of(domain, true, (uintptr_t)heap), told->address, 0);
}

void mstx_end_heap(struct pool_piece *told, mstxDomainHandle_t domain, mstxMemHeapHandle_t heap, bool keep)
{
	if (wanted())
		*told = give_back(domain, true, (uintptr_t)heap, keep);
}

/* ---- regions ---- */

/* How many of a list's pieces are told of: none if it cannot be looked at. */
static size_t readable(const void *list, size_t count, size_t size)
{
	if (count > PIECES_MAX)
		count = PIECES_MAX;
	return count && safe_read(list, count * size) ? count : 0;
}

static size_t regions_in(const mstxMemRegionsRegisterBatch_t *desc)
{
	const mstxMemVirtualRangeDesc_t *ranges;

	if (!wanted() || !safe_read(desc, sizeof(*desc)))
		return 0;
	ranges = desc->regionDescArray;
	return readable(ranges, desc->regionCount, sizeof(*ranges));
}

/* A tool may have answered with handles. Where the type is none the place for them is nowhere either (torch_npu). */
static void note_handle(mstxDomainHandle_t domain, const mstxMemRegionsRegisterBatch_t *desc, size_t i, uint64_t address)
{
	const mstxMemRegionHandle_t *handle = desc->regionHandleArrayOut ? desc->regionHandleArrayOut + i : NULL;

	if (!desc->regionType && handle && safe_read(handle, sizeof(*handle)) && *handle)
		handles_put(&handles, key_of(domain, false, (uintptr_t)*handle), address, 0);
}

static struct pool_piece new_region(mstxDomainHandle_t domain, const mstxMemRegionsRegisterBatch_t *desc, size_t i, bool keep)
{
	const mstxMemVirtualRangeDesc_t *ranges = desc->regionDescArray;
	struct pool_piece p = take_in(domain, false, &ranges[i], keep);

	if (keep)
		note_handle(domain, desc, i, p.address);
	return p;
}

void mstx_new_region(struct pool_piece *told, mstxDomainHandle_t domain, const mstxMemRegionsRegisterBatch_t *desc, bool keep)
{
	if (regions_in(desc))
		*told = new_region(domain, desc, 0, keep);
}

static void count_untold(size_t told, size_t count)
{
	if (told == PIECES_MAX && count > told)
		session_beyond(LIMIT_untold_pieces, count - told);
}

/* A slot for a piece that the call's event does not tell of. */
static void write_slot(const struct call *c, uint16_t control, const struct pool_piece *p)
{
	struct event e = { .hook = control, .begin = c->event.begin, .stream = p->pool, .key = p->address };

	e.arg = EVENT_ARG(p->bytes, DIR_NONE);
	if (c->recording && !c->nested)
		ring_write_control(&e, NULL);
}

void mstx_new_others(const struct call *c, mstxDomainHandle_t domain, const mstxMemRegionsRegisterBatch_t *desc, bool keep)
{
	size_t count = regions_in(desc);

	if (count)
		count_untold(count, desc->regionCount);
	for (size_t i = 1; i < count; i++) {
		struct pool_piece p = new_region(domain, desc, i, keep);

		write_slot(c, CTRL_GIVEN, &p);
	}
}

static size_t references_in(const mstxMemRegionsUnregisterBatch_t *desc)
{
	return wanted() && safe_read(desc, sizeof(*desc)) ? readable(desc->refArray, desc->refCount, sizeof(*desc->refArray)) : 0;
}

/* A handle that nobody gave out is no address. */
static struct pool_piece end_region(mstxDomainHandle_t domain, const mstxMemRegionRef_t *r, bool keep)
{
	struct pool_piece p = give_back(domain, false, (uintptr_t)r->pointer, keep);

	if (r->refType == BY_HANDLE && !p.pool)
		p.address = 0;
	return p;
}

void mstx_end_region(struct pool_piece *told, mstxDomainHandle_t domain, const mstxMemRegionsUnregisterBatch_t *desc, bool keep)
{
	if (references_in(desc))
		*told = end_region(domain, desc->refArray, keep);
}

void mstx_end_others(const struct call *c, mstxDomainHandle_t domain, const mstxMemRegionsUnregisterBatch_t *desc, bool keep)
{
	size_t count = references_in(desc);

	if (count)
		count_untold(count, desc->refCount);
	for (size_t i = 1; i < count; i++) {
		struct pool_piece p = end_region(domain, &desc->refArray[i], keep);

		write_slot(c, CTRL_FREED, &p);
	}
}
