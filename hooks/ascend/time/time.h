/*
 * time.h - device times of Ascend: what is done around the calls that give work to a stream. Two time-line events of
 * ours stand in the stream around the work (event_pairs.h); they are read when the program itself has waited. Launches
 * and operators are timed by msPTI instead where it is at hand, and collectives by both: see mspti.h.
 */
#pragma once
#include "agent/session/settings.h"
#include "hooks/ascend/tracking/tracking.h"

/* What belongs to a call that is being timed. */
struct ascend_timed {
	uint32_t pair;	/* of events around it */
	uint64_t mspti; /* its number there; both 0: its time cannot be had */
	bool inside;	/* from mspti_begin() to mspti_end() */
	aclrtStream stream;
	unsigned int what;
};
enum { TIME_OUTER = 1,	 /* there may be launches inside */
       TIME_KERNELS = 2, /* it is work of kernels alone */
       TIME_OPERATOR = TIME_OUTER | TIME_KERNELS,
       TIME_COLLECTIVE = TIME_OUTER | 4 };

/* A pair (event_pairs.h) whose first event stands in the stream; 0: there is none, or the stream takes none. */
uint32_t ascend_time_first(aclrtStream stream);

/* False: this call has no device time, and is not to have one. */
bool ascend_time_begin(aclrtStream stream, struct ascend_timed *own);

/* The call is over, and succeeded: the second event. Then it is recorded, or failed. */
void ascend_time_end(struct ascend_timed *own);
void ascend_time_keep(const struct call *c, const struct ascend_timed *own, bool ok);

ALWAYS_INLINE void ascend_time_want(struct call *c, aclrtStream stream, struct ascend_timed *own, unsigned int what)
{
	struct ascend_timed t = { .what = what };

	if (LIKELY(!(c->word & GATE_TIMES)) || c->nested || stream == NO_STREAM)
		return;
	if (!ascend_time_begin(stream, &t))
		return;
	*own = t;
	c->timed = true;
	c->event.begin = clock_ticks(); /* what we did is not the call's */
}

ALWAYS_INLINE void ascend_time_called(const struct call *c, struct ascend_timed *own)
{
	if (c->timed)
		ascend_time_end(own);
}

ALWAYS_INLINE void ascend_time_recorded(const struct call *c, const struct ascend_timed *own, bool ok)
{
	struct call copy;

	if (LIKELY(!c->timed))
		return;
	copy = *c;
	ascend_time_keep(&copy, own, ok);
}
