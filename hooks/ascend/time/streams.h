/* streams.h - streams that are timed: which there are, and whether they take events of ours. */
#pragma once
#include "hooks/ascend/time/event_pools.h"
#include "hooks/ascend/tracking/tracking.h"

#define STREAMS 65536 /* DEF_STREAM ids */

struct handle_slot *streams_known(aclrtStream stream);

/* The same of one that is about to be timed; NULL: nobody knows it. */
struct handle_slot *streams_to_time(aclrtStream stream);

/* The pool of its context. */
struct pairs_pool *streams_pool(struct handle_slot *s, aclrtStream stream);

/* No capture keeps what is given to it. */
bool streams_is_free(struct handle_slot *s, struct pairs_pool *pool, aclrtStream stream);

/* How often in a row it took no event; 0 again when that may have an end. */
_Atomic uint8_t *streams_refusals(struct handle_slot *s);
