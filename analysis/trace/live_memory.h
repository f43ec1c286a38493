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
	bool is_free;
	enum place place;
	const struct pool *pool; /* NULL: the vendor's */
};

/* One allocation or free more, in order of time; live holds uint64_t bytes + 1 by address. */
void live_memory_take(struct memory_sum *m, struct table *live, const struct memory_event *ev);
