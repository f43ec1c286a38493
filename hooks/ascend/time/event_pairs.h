/*
 * event_pairs.h - pairs of time-line events that we put into streams: around work, whose time they tell. Everything here
 * calls the vendor itself, past our hooks.
 */
#pragma once
#include "hooks/ascend/time/event_pools.h"

/* A pair of the pool; 0: there is none. */
uint32_t pairs_take(struct pairs_pool *pool);
void pairs_give(uint32_t pair);

struct pairs_pool *pairs_pool_of(uint32_t pair); /* NULL: its context has ended */
bool pairs_record_first(uint32_t pair, aclrtStream stream);
bool pairs_record_last(uint32_t pair, aclrtStream stream);

/* Is the work between them done? Negative: this cannot be told. */
int pairs_done(uint32_t pair);

/* In ns of the device's clock. False: the runtime will not say. */
bool pairs_read(uint32_t pair, uint64_t *begin, uint64_t *duration);

/* How the device's clock stands to the host's, by an event in a stream that the program has just waited for. */
void pairs_calibrate(struct pairs_pool *pool, aclrtStream stream);

/* Gives the events that are not in use back to the runtime, and lets the pool go. */
void pairs_put_away(struct pairs_pool *pool);

/* Pools are about to end, with all that is in them: those of which ends(pool, what) says so. */
void pairs_end(bool (*ends)(const struct pairs_pool *, uint64_t), uint64_t what);
