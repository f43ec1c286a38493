/* harvest.h - reading device times when the program itself has waited: what it shares with the calls that are timed. */
#pragma once
#include "hooks/ascend/time/event_pools.h"
#include "hooks/ascend/time/time.h"
#include "hooks/capture/device_times.h"

#define STREAMS 65536 /* DEF_STREAM ids */

extern struct timings ascend_waiting OURS; /* calls with events around them */

struct handle_slot *ascend_known_stream(aclrtStream stream);

/* No capture keeps what is given to it. */
bool ascend_stream_is_free(struct handle_slot *s, struct pairs_pool *pool, aclrtStream stream);
