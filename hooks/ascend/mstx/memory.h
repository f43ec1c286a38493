/* memory.h - the memory that a framework's allocator tells of: its stock (heaps) and what it hands out (regions). */
#pragma once
#include "agent/record/record.h"
#include "hooks/ascend/mstx/mstx.h"

/* One piece of it, as far as it is known. */
struct pool_piece {
	uint64_t address, bytes;
	uint16_t pool; /* DEF_POOL id */
};

/*
 * What the program gives is looked at after the call, and only if it is there: where no tool listens the vendor does
 * not look at it. keep: it is tracked (not where a call is told of a second time).
 */
void mstx_new_heap(struct pool_piece *told, mstxDomainHandle_t domain, mstxMemHeapHandle_t heap, const mstxMemHeapDesc_t *desc,
		   bool keep);
void mstx_end_heap(struct pool_piece *told, mstxDomainHandle_t domain, mstxMemHeapHandle_t heap, bool keep);

/* The first piece of those that a call tells of; the others get slots of their own, if the call was recorded. */
void mstx_new_region(struct pool_piece *told, mstxDomainHandle_t domain, const mstxMemRegionsRegisterBatch_t *desc, bool keep);
void mstx_new_others(const struct call *c, mstxDomainHandle_t domain, const mstxMemRegionsRegisterBatch_t *desc, bool keep);
void mstx_end_region(struct pool_piece *told, mstxDomainHandle_t domain, const mstxMemRegionsUnregisterBatch_t *desc, bool keep);
void mstx_end_others(const struct call *c, mstxDomainHandle_t domain, const mstxMemRegionsUnregisterBatch_t *desc, bool keep);
