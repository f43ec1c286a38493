/* timed_streams.h - streams that are timed: which there are, and whether they take events of ours. */
#pragma once
#include "hooks/capture/pairs/pools.h"

#define STREAMS 65536 /* DEF_STREAM ids */

struct timed_streams {
	_Atomic uint8_t refusals[STREAMS]; /* how often in a row each took no event */
};

struct handle_slot *timed_streams_known(struct vendor_times *of, void *stream);

/* The same of one that is about to be timed; NULL: nobody knows it. */
struct handle_slot *timed_streams_to_time(struct vendor_times *of, void *stream);

/* The pool of its context. */
struct pairs_pool *timed_streams_pool(struct vendor_times *of, struct handle_slot *s, void *stream);

/* No capture keeps what is given to it. */
bool timed_streams_is_free(struct vendor_times *of, struct handle_slot *s, struct pairs_pool *pool, void *stream);

/* How often in a row it took no event; 0 again when that may have an end. */
_Atomic uint8_t *timed_streams_refusals(struct vendor_times *of, struct handle_slot *s);
