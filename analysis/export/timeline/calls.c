#include "analysis/export/timeline/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"

#define FEW 256 /* places of a ring at first */

struct ring_calls {
	struct call *list; /* by the low bits of their slots */
	size_t size;	   /* a power of two */
	uint64_t last;	   /* slot; of the newest */
};

void calls_begin(struct calls *c)
{
	*c = (struct calls){ .rings = TABLE(struct ring_calls) };
}

static struct call *place_of(const struct ring_calls *r, uint64_t slot)
{
	return &r->list[slot & (r->size - 1)];
}

static void resize(struct calls *c, struct ring_calls *r, size_t size)
{
	struct ring_calls old = *r;

	r->size = size;
	r->list = alloc_zero(size, sizeof(*r->list));
	for (size_t i = 0; i < old.size; i++)
		if (old.list[i].waits)
			*place_of(r, old.list[i].slot) = old.list[i];
	free(old.list);
	c->size += size - old.size;
}

/* The one that stood there is forgotten, unless it waits and there is room for more. */
static struct call *make_place(struct calls *c, struct ring_calls *r, uint64_t slot)
{
	if (!r->size)
		resize(c, r, FEW);
	while (place_of(r, slot)->waits && c->size + r->size <= CALLS_MOST)
		resize(c, r, 2 * r->size);
	r->last = slot;
	return place_of(r, slot);
}

/* Those that began with an operator or a collective, or after it: it is over now. Of two operators the inner one counts. */
static void take_inner(const struct ring_calls *r, const struct trace_event *ev)
{
	const struct call *whole = place_of(r, ev->slot);
	uint64_t slot = ev->slot;

	for (size_t i = 1; i < r->size && slot--; i++) {
		struct call *inner = place_of(r, slot);

		if (inner->slot != slot || !inner->begin_ns)
			continue;
		if (inner->begin_ns < ev->begin_ns)
			return;
		if (inner->operator== CALL_NONE)
			inner->operator= whole->operator;
		inner->is_collective |= whole->is_collective;
		if (ev->kind == EV_COLLECTIVE)
			inner->around = call_id(ev->ring, ev->slot);
		if (!inner->collective)
			inner->collective = whole->collective;
	}
}

void calls_take(struct calls *c, const struct trace_event *ev)
{
	struct ring_calls *r;

	if (!call_is_timed(ev))
		return;
	r = table_put(&c->rings, (uint16_t)ev->ring);
	*make_place(c, r, ev->slot) = (struct call){
		.slot = ev->slot,
		.begin_ns = ev->begin_ns,
		.bytes = ev->bytes,
		.operator= ev->kind == EV_OPERATOR ? call_id(ev->ring, ev->slot) : CALL_NONE,
		.around = CALL_NONE,
		.collective = ev->kind == EV_COLLECTIVE ? ev->definition : NULL,
		.direction = ev->direction,
		.is_collective = ev->kind == EV_COLLECTIVE,
		.waits = true,
	};
	if (ev->kind == EV_OPERATOR || ev->kind == EV_COLLECTIVE)
		take_inner(r, ev);
}

const struct call *calls_find(struct calls *c, const struct trace_device *dev)
{
	struct ring_calls *r = table_find(&c->rings, dev->ring);
	uint64_t slot;
	struct call *found;

	if (!r)
		return NULL;
	slot = r->last + (uint64_t)(int64_t)(int32_t)(dev->slot - (uint32_t)r->last);
	found = place_of(r, slot);
	if (found->slot == slot && found->begin_ns) {
		found->waits = false;
		return found;
	}
	c->forgotten += found->slot > slot;
	return NULL;
}

void calls_end(struct calls *c)
{
	if (c->forgotten)
		fprintf(stderr, "ranktrace: %" PRIu64 " device times stand too far from their calls: directions, sizes and collectives are not told\n",
			c->forgotten);
	for (size_t i = 0; i < c->rings.count; i++)
		free(((struct ring_calls *)table_item(&c->rings, i))->list);
	table_free(&c->rings);
}
