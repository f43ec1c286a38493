/* live_memory.h - what was handed out and not given back yet, by address. */
#pragma once
#include "analysis/trace/trace.h"

/* Where memory is: on the device, or the host's, for the device to reach. */
enum place { PLACE_DEVICE,
	     PLACE_HOST,
	     PLACES };

struct memory_sum {
	uint64_t allocations, frees, bytes, peak_bytes, unfreed, unfreed_bytes;
};

struct memory_event {
	uint64_t address, bytes;
	const struct pool *pool; /* NULL: the vendor's */
	int64_t step;		 /* of the call */
	uint16_t hook;
	bool is_free;
	enum place place;
};

struct live_piece {
	uint64_t size; /* bytes + 1; 0: it was freed */
	uint16_t hook; /* that handed it out */
};

/* Does it hand out memory or take it back? */
static inline bool memory_event_is(const struct trace_event *ev)
{
	return ev->kind == EV_ALLOC || ev->kind == EV_FREE || ev->kind == EV_POOL_ALLOC || ev->kind == EV_POOL_FREE;
}

/* What such a call did, and when that is true. False: nothing, as it failed, or is part of another. */
bool memory_event_of(struct memory_event *m, uint64_t *ns, const struct trace_event *ev);

/* One allocation or free more, in order of time; live holds struct live_piece by address. Returns by how much there is more now. */
int64_t live_memory_take(struct memory_sum *m, struct table *live, const struct memory_event *ev);
