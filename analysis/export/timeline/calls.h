/*
 * calls.h - what a slice of the device tells of its call: when it began, what it copied, in which operator or
 * collective it was made. Each ring keeps its last calls, more as long as calls wait for their device times.
 */
#pragma once
#include "analysis/trace/trace.h"

#define CALLS_MOST (1u << 20) /* of all rings */

struct call {
	uint64_t slot;
	uint64_t begin_ns, bytes;
	uint64_t operator;		     /* id of the one around it; its own, if it is one; CALL_NONE: none */
	uint64_t around;		     /* id of the collective that it was made in, the outermost; CALL_NONE: none */
	const struct collective *collective; /* likewise; NULL: not known */
	uint8_t direction;
	bool is_collective; /* or was made in one */
	bool waits;	    /* nobody has asked for it */
};

#define CALL_NONE UINT64_MAX

struct calls {
	struct table rings; /* struct ring_calls by the 16 bits of a ring's id that DEVICE_REF holds */
	size_t size;	    /* places of all rings */
	uint64_t forgotten; /* calls that were asked for too late */
};

/* An event's number in its process: for arrows, and for those who join rows of host and device. */
static inline uint64_t call_id(uint32_t ring, uint64_t slot)
{
	return (uint64_t)(uint16_t)ring << 32 | (uint32_t)slot;
}

/* May the device have worked for it? Some kinds do nothing there without a stream. */
static inline bool call_is_timed(const struct trace_event *ev)
{
	const uint32_t always = 1u << EV_LAUNCH | 1u << EV_COPY | 1u << EV_FILL | 1u << EV_OPERATOR | 1u << EV_COLLECTIVE;
	const uint32_t in_stream = 1u << EV_MAP | 1u << EV_MARKER;

	return !ev->result && !ev->captured && ((always | (ev->stream ? in_stream : 0)) >> ev->kind & 1);
}

void calls_begin(struct calls *c);

/* In the order of process_events(): of one thread what lies inside another call comes before it. */
void calls_take(struct calls *c, const struct trace_event *ev);

/* NULL: that call is not known. */
const struct call *calls_find(struct calls *c, const struct trace_device *dev);

/* Says on stderr how many were forgotten. */
void calls_end(struct calls *c);
