/* ranges.h - a marker's range is two events, its start and its end: joined, whichever is read first. */
#pragma once
#include <stdbool.h>

#include "analysis/trace/pending.h"
#include "analysis/trace/trace.h"

struct range {
	uint64_t begin, end;	     /* ns since the Unix epoch: when it was started, when its end was told */
	const struct marker *marker; /* NULL: says nothing */
	int64_t step;		     /* that it began in */
	uint32_t tid, ring;	     /* that began it */
	uint64_t slot;		     /* of the event that began it, in that ring */
	uint16_t stream;	     /* that it was given; 0: none */
	bool nests;		     /* it is pushed and popped */
	bool ended;		     /* false: its end is not in the trace */
};

struct ranges {
	void (*done)(void *context, const struct range *range);
	void *context;
	struct pending starts, ends; /* by number: one end waits for the other */
	struct table depths;	     /* uint32_t by thread: ranges that are pushed have no number */
	uint64_t forgotten;	     /* ends that were let go, as there was no room: their starts may come yet */
	size_t count, capacity, free;
	struct range *list; /* those that began; free: first of the unused ones + 1, chained by end */
};

/* What did not end lasts until the last call of its process or window did. */
static inline uint64_t range_end(const struct range *r, uint64_t last)
{
	return r->ended ? r->end : last > r->begin ? last
						   : r->begin;
}

enum range_role { RANGE_NONE,
		  RANGE_START,
		  RANGE_STOP };

/* Does the event begin or end a range? RANGE_NONE: neither, it may be a mark. */
enum range_role range_role(const struct trace_event *ev);

#define RANGES(emit, whose) ((struct ranges){ .done = (emit), .context = (whose), .depths = TABLE(uint32_t) })

/* One event more, of any kind. */
void ranges_take(struct ranges *r, const struct trace_event *ev);

/* Hands out those that did not end, and forgets them all. */
void ranges_finish(struct ranges *r);
