/* mark_clock.h - markers tell step sources (marker:) of steps: what they hear of ranges and marks. */
#pragma once
#include "agent/steps/source_marker.h"
#include "hooks/ascend/mstx/mstx.h"

/* What a domain is called: to be told before anything is marked in it. */
void mark_domain(mstxDomainHandle_t domain, const char *name);

/* A range begins, or a mark is made: who waits for its end. in_order: see source_marker.h */
uint32_t mark_begins(mstxDomainHandle_t domain, const char *message, bool in_order, const void *caller);

/* A mark was made. */
void mark_made(uint32_t heard, bool in_order, const void *caller);

/* A range has this number; it ends. */
void mark_range(uint32_t heard, bool in_order, uint64_t number);
void mark_range_ends(uint64_t number, const void *caller);
