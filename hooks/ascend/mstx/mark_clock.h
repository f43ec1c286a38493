/* mark_clock.h - markers tell of steps and stages (marker:): what is heard of ranges and marks. */
#pragma once
#include "agent/steps/source_marker.h"
#include "hooks/ascend/mstx/mstx.h"

/* What a domain is called: to be told before anything is marked in it. */
void mark_domain(mstxDomainHandle_t domain, const char *name);

/* Who listens to this message in this domain. */
uint32_t mark_heard(mstxDomainHandle_t domain, const char *message);

/* A range of theirs has this number, and is this stage (0: none); it ends. in_order: see source_marker.h */
void mark_range(uint32_t heard, uint64_t stage, bool in_order, uint64_t number, const void *caller);
bool mark_range_is_heard(uint64_t number);
void mark_range_ends(uint64_t number, const void *caller);
