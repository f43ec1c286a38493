/* pending.h - device times that wait for their events: put in once, taken out once. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/trace/trace.h"

struct pending_time {
	uint64_t event; /* DEVICE_REF */
	uint64_t begin_ns, duration_ns;
	uint16_t stream; /* of the device time */
	bool used;
};

struct pending {
	struct pending_time *list; /* by hash; each behind those that were there before it */
	size_t size, count;	   /* size: a power of two, at least twice the count */
	uint64_t multiplier;
};

/* Of two with the same event the later stays. */
void pending_put(struct pending *p, const struct trace_device *dev);

/* What else waits for its other half, by a number of its own. */
void pending_put_time(struct pending *p, const struct pending_time *time);

/*
 * Before one more is put where what it waits for may have been lost, and never comes: forgets all if they have become very many. Returns
 * how many that were.
 */
#define PENDING_MANY 262144
size_t pending_forget(struct pending *p);
static inline size_t pending_forget_many(struct pending *p)
{
	return p->count < PENDING_MANY ? 0 : pending_forget(p);
}

/* False if there is none; mostly there are none at all. */
bool pending_take_kept(struct pending *p, uint64_t event, struct pending_time *found);
static inline bool pending_take(struct pending *p, uint64_t event, struct pending_time *found)
{
	return p->count && pending_take_kept(p, event, found);
}

void pending_free(struct pending *p);
