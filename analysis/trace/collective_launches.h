/* collective_launches.h - launches that were made inside a collective: their time on the device is communication, not computation. */
#pragma once
#include "analysis/trace/trace.h"

#define COLLECTIVE_LAUNCHES_MAX 4096 /* that one collective is known to make */

struct collective_launches {
	struct table recent;   /* the last launches of a ring, which a collective may turn out to hold */
	struct table rings;    /* uint32_t by thread: the ring of its last event */
	struct table launches; /* uint8_t by ring and slot: those that one holds */
	size_t held;	       /* launches in recent */
	uint64_t crowded;      /* collectives that made more: the first ones count as computation */
	bool wanted;
	/* The device time of a launch that none holds. */
	void (*settle)(void *context, const struct trace_device *dev);
	void *context;
};

void collective_launches_init(struct collective_launches *c, bool wanted, void (*settle)(void *context, const struct trace_device *dev), void *context);

void collective_launches_follow(struct collective_launches *c, const struct trace_event *ev);

/* Launches and collectives in the order of process_events(): of one thread what lies inside another call comes before it. */
static inline void collective_launches_take(struct collective_launches *c, const struct trace_event *ev)
{
	if (c->wanted)
		collective_launches_follow(c, ev);
}

/* False: the launch, which has been there, is held by none. Else this time is kept until that is known, or forgotten. */
bool collective_launches_keeps(struct collective_launches *c, const struct trace_device *dev);

/* Settles all. */
void collective_launches_finish(struct collective_launches *c);
