#include "analysis/trace/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

enum range_role range_role(const struct trace_event *ev)
{
	if (ev->kind != EV_MARKER || ev->nested || ev->result)
		return RANGE_NONE;
	if (ev->flags & DEF_HOOK_BEGINS)
		return RANGE_START;
	return ev->flags & DEF_HOOK_ENDS ? RANGE_STOP : RANGE_NONE;
}

/* What start and end have in common. 0: nothing. What is pushed is the thread's, and so deep. */
static uint64_t number_of(struct ranges *r, const struct trace_event *ev, enum range_role role)
{
	uint32_t *depth;

	if (ev->bytes)
		return ev->bytes;
	if (!(ev->flags & DEF_HOOK_NESTS))
		return 0;
	depth = table_put(&r->depths, ev->tid);
	if (role == RANGE_START)
		return 1ull << 63 | (uint64_t)ev->tid << 20 | ++*depth % (1u << 20);
	return *depth ? 1ull << 63 | (uint64_t)ev->tid << 20 | (*depth)-- % (1u << 20) : 0;
}

static size_t keep(struct ranges *r, const struct range *range)
{
	size_t i = r->free ? r->free - 1 : r->count;

	if (r->free) {
		r->free = r->list[i].end;
	} else if (r->count++ == r->capacity) {
		r->capacity = r->capacity ? 2 * r->capacity : 64;
		r->list = alloc_grow(r->list, r->capacity, sizeof(*r->list));
	}
	r->list[i] = *range;
	return i;
}

static struct range let_go(struct ranges *r, size_t i)
{
	struct range range = r->list[i];

	r->list[i].end = r->free;
	r->free = i + 1;
	return range;
}

static void take_start(struct ranges *r, uint64_t number, struct range *range)
{
	struct pending_time found;

	if (pending_take(&r->ends, number, &found) && found.begin_ns >= range->begin) {
		range->end = found.begin_ns;
		range->ended = true;
		r->done(r->context, range);
		return;
	}
	if (pending_take(&r->starts, number, &found)) { /* the number is used again: the end was not seen */
		struct range open = let_go(r, found.duration_ns);

		r->done(r->context, &open);
	}
	pending_put_time(&r->starts, &(struct pending_time){ .event = number, .begin_ns = range->begin, .duration_ns = keep(r, range) });
}

static void take_stop(struct ranges *r, uint64_t number, uint64_t end)
{
	struct pending_time found;
	struct range range;

	if (!pending_take(&r->starts, number, &found)) {
		r->forgotten += pending_forget_many(&r->ends); /* most are of ranges that began before the recording */
		pending_put_time(&r->ends, &(struct pending_time){ .event = number, .begin_ns = end });
		return;
	}
	range = let_go(r, found.duration_ns);
	range.ended = end >= range.begin;
	range.end = range.ended ? end : 0;
	r->done(r->context, &range);
}

void ranges_take(struct ranges *r, const struct trace_event *ev)
{
	enum range_role role = range_role(ev);
	uint64_t number = role == RANGE_NONE ? 0 : number_of(r, ev, role);
	struct range range = {
		.begin = ev->begin_ns,
		.marker = ev->definition,
		.step = ev->step,
		.tid = ev->tid,
		.ring = ev->ring,
		.slot = ev->slot,
		.stream = ev->stream,
		.nests = ev->flags & DEF_HOOK_NESTS,
	};

	if (!number)
		return;
	if (role == RANGE_START)
		take_start(r, number, &range);
	else
		take_stop(r, number, ev->begin_ns);
}

void ranges_finish(struct ranges *r)
{
	for (size_t i = 0; i < r->starts.size; i++) {
		struct range open;

		if (!r->starts.list[i].used)
			continue;
		open = r->list[r->starts.list[i].duration_ns];
		open.end = 0;
		r->done(r->context, &open);
	}
	pending_free(&r->starts);
	pending_free(&r->ends);
	table_free(&r->depths);
	free(r->list);
}
