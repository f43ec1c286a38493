/* mark_clock.h - markers tell of steps and stages (marker:): what is heard of ranges and marks. */
#pragma once
#include "agent/steps/source_marker.h"
#include "hooks/capture/markers/markers.h"

/* What a domain is called: to be told before anything is marked in it. */
void mark_clock_domain(struct markers *of, const void *domain, const char *name);

/* Who listens to this message in this domain. */
uint32_t mark_clock_heard(struct markers *of, const void *domain, const char *message);

/* A range of theirs has this number, and is this stage (0: none); it ends. in_order: see source_marker.h */
void mark_clock_range(struct markers *of, uint32_t heard, uint64_t stage, bool in_order, uint64_t number, const void *caller);
bool mark_clock_hears_end(struct markers *of, uint64_t number);
void mark_clock_range_ends(struct markers *of, uint64_t number, const void *caller);
