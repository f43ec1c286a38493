/*
 * spans.h - device times of what begins with one call and ends with another, in whatever thread: ranges that are given a stream. The first
 * event of a pair goes into the stream with the one call, the last with the other.
 */
#pragma once
#include "agent/session/settings.h"
#include "hooks/ascend/tracking/tracking.h"

/* A pair whose first event stands in the stream; 0: it has no time. */
uint32_t span_begin(aclrtStream stream);

/* The call that begins it has been recorded, and returned the number by which it ends; 0: it failed. */
void span_keep(const struct call *c, uint32_t pair, aclrtStream stream, uint64_t number);

/* Of one that has not begun in this window, or has no time: nothing. */
void span_end(uint64_t number);

ALWAYS_INLINE void span_want(struct call *c, aclrtStream stream, uint32_t *pair)
{
	if (LIKELY(!(c->word & GATE_TIMES)) || c->nested || !stream)
		return;
	*pair = span_begin(stream);
	c->event.begin = clock_ticks(); /* what we did is not the call's */
}

ALWAYS_INLINE void span_wants_end(uint64_t number)
{
	if (UNLIKELY(settings.contents & CONTENT_DEVICE))
		span_end(number);
}
