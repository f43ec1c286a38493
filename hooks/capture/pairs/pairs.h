/*
 * pairs.h - pairs of events that we put into streams: around work, whose time they tell. Everything here calls the vendor
 * itself, past our hooks.
 */
#pragma once
#include "hooks/capture/pairs/pools.h"

struct pair {
	void *first, *last; /* events */
	uint32_t next;
	uint32_t pool;
};

struct pairs {
	_Atomic(struct pair *) all;
	_Atomic uint32_t fresh;	 /* never used before */
	_Atomic uint64_t spares; /* tag << 32 | pair: without events */
};

/* A pair of the pool; 0: there is none. */
uint32_t pairs_take(struct vendor_times *of, struct pairs_pool *pool);
void pairs_give(struct vendor_times *of, uint32_t pair);

struct pairs_pool *pairs_pool_of(struct vendor_times *of, uint32_t pair); /* NULL: its context has ended */
bool pairs_record_first(struct vendor_times *of, uint32_t pair, void *stream);
bool pairs_record_last(struct vendor_times *of, uint32_t pair, void *stream);

/* Is the work between them done? Negative: this cannot be told. */
int pairs_done(struct vendor_times *of, uint32_t pair);

/* In ns of the device's clock. False: the runtime will not say. */
bool pairs_read(struct vendor_times *of, uint32_t pair, uint64_t *begin, uint64_t *duration);

/* How the device's clock stands to the host's, by an event in a stream that the program has just waited for. */
void pairs_calibrate(struct vendor_times *of, struct pairs_pool *pool, void *stream);

/* Gives the events that are not in use back to the runtime, and lets the pool go. */
void pairs_put_away(struct vendor_times *of, struct pairs_pool *pool);

/* Pools end, with all that is in them: those of which ends(pool, what) says so. here: this thread's context, if its events are still there. */
void pairs_end(struct vendor_times *of, bool (*ends)(const struct pairs_pool *, uint64_t), uint64_t what, const void *here);
