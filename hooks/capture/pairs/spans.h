/*
 * spans.h - device times of what begins with one call and ends with another, in whatever thread: ranges that are given a stream. The first
 * event of a pair goes into the stream with the one call, the last with the other.
 */
#pragma once
#include "agent/session/settings.h"
#include "hooks/capture/pairs/pools.h"

#define SPANS 64 /* at most so many are open at once */
struct spans {
	/* One that has begun. What a window left open is given up by whoever wants its place. */
	struct open_span {
		_Atomic int state;
		_Atomic uint64_t number, window;
		uint32_t timing; /* timing_at() */
	} open[SPANS];
};

/* A pair whose first event stands in the stream; 0: it has no time. */
uint32_t spans_begin(struct vendor_times *of, void *stream);

/* The call that begins it has been recorded, and returned the number by which it ends; 0: it failed. */
void spans_keep(struct vendor_times *of, const struct call *c, uint32_t pair, void *stream, uint64_t number);

/* Of one that has not begun in this window, or has no time: nothing. */
void spans_end(struct vendor_times *of, uint64_t number);

ALWAYS_INLINE void spans_want(struct vendor_times *of, struct call *c, void *stream, uint32_t *pair)
{
	if (LIKELY(!(c->word & GATE_TIMES)) || c->nested || !stream)
		return;
	*pair = spans_begin(of, stream);
	c->event.begin = clock_ticks(); /* what we did is not the call's */
}

ALWAYS_INLINE void spans_want_end(struct vendor_times *of, uint64_t number)
{
	if (UNLIKELY(settings.contents & CONTENT_DEVICE))
		spans_end(of, number);
}
