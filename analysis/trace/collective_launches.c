#include "analysis/trace/collective_launches.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"

#define HELD_MAX 1048576 /* of all rings: beyond that each holds */
#define HELD_FEW 64	 /* so many */

struct launched {
	uint64_t begin_ns;
	uint64_t device_ns, duration_ns; /* of its device time, if it has one already */
	uint32_t slot;
	bool timed;
};

/* The last launches of a ring: a queue in a list of `size`, a power of two. */
struct recent {
	uint64_t first, last; /* count up for ever */
	size_t size;
	struct launched *list;
	bool let_go; /* one was, and: */
	uint64_t newest_gone;
	uint32_t before; /* the ring that its thread had before; 0: none is known */
};

static uint64_t key_of(uint16_t ring, uint32_t slot)
{
	return (uint64_t)ring << 32 | slot;
}

void collective_launches_init(struct collective_launches *c, bool wanted, void (*settle)(void *context, const struct trace_device *dev), void *context)
{
	*c = (struct collective_launches){
		.wanted = wanted, .recent = TABLE(struct recent), .launches = TABLE(uint8_t), .rings = TABLE(uint32_t), .settle = settle, .context = context
	};
}

static struct launched *at(const struct recent *r, uint64_t number)
{
	return &r->list[number & (r->size - 1)];
}

static void settle_first(struct collective_launches *c, struct recent *r, uint16_t ring)
{
	const struct launched *l = at(r, r->first++);
	struct trace_device dev = {
		.kind = EV_LAUNCH,
		.ring = ring,
		.slot = l->slot,
		.begin_ns = l->device_ns,
		.duration_ns = l->duration_ns,
	};

	c->held--;
	if (!r->let_go || l->begin_ns > r->newest_gone)
		r->newest_gone = l->begin_ns;
	r->let_go = true;
	if (l->timed)
		c->settle(c->context, &dev);
}

/* Those that began with a collective, or after it: it is over now. */
static void take_inner(struct collective_launches *c, struct recent *r, uint32_t ring, uint64_t begin_ns)
{
	while (r->last > r->first && at(r, r->last - 1)->begin_ns >= begin_ns) {
		table_put(&c->launches, key_of((uint16_t)ring, at(r, --r->last)->slot));
		c->held--;
	}
}

static void take_collective(struct collective_launches *c, struct recent *r, const struct trace_event *ev)
{
	take_inner(c, r, ev->ring, ev->begin_ns);
	if (r->first == r->last && r->before && r->before != ev->ring)
		take_inner(c, table_put(&c->recent, r->before), r->before, ev->begin_ns);
	r = table_find(&c->recent, ev->ring);
	c->crowded += r->first == r->last && r->let_go && r->newest_gone >= ev->begin_ns;
}

static void take_launch(struct collective_launches *c, struct recent *r, const struct trace_event *ev)
{
	size_t most = c->held < HELD_MAX ? COLLECTIVE_LAUNCHES_MAX : HELD_FEW;

	if (r->last - r->first >= most)
		settle_first(c, r, (uint16_t)ev->ring);
	if (r->last - r->first == r->size)
		r->list = alloc_grow_queue(r->list, r->first, r->last, &r->size, sizeof(*r->list));
	*at(r, r->last++) = (struct launched){ .begin_ns = ev->begin_ns, .slot = (uint32_t)ev->slot };
	c->held++;
}

/* A thread whose ring is full goes on in another. */
static struct recent *recent_of(struct collective_launches *c, const struct trace_event *ev)
{
	struct recent *r = table_put(&c->recent, ev->ring);
	uint32_t *ring = table_put(&c->rings, ev->tid);

	if (*ring != ev->ring)
		r->before = *ring;
	*ring = ev->ring;
	return r;
}

void collective_launches_follow(struct collective_launches *c, const struct trace_event *ev)
{
	if (ev->kind == EV_COLLECTIVE)
		take_collective(c, recent_of(c, ev), ev);
	else if (ev->kind == EV_LAUNCH)
		take_launch(c, recent_of(c, ev), ev);
}

/* Slots of a ring go up, though their low 32 bits may pass zero. */
static struct launched *find(struct collective_launches *c, const struct trace_device *dev)
{
	struct recent *r = table_find(&c->recent, dev->ring);
	uint64_t low = r ? r->first : 0, high = r ? r->last : 0;
	uint32_t base = low < high ? at(r, low)->slot : 0;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (at(r, middle)->slot - base < dev->slot - base)
			low = middle + 1;
		else
			high = middle;
	}
	return r && low < r->last && at(r, low)->slot == dev->slot ? at(r, low) : NULL;
}

bool collective_launches_keeps(struct collective_launches *c, const struct trace_device *dev)
{
	struct launched *l;

	if (!c->wanted)
		return false;
	if (c->launches.count && table_find(&c->launches, key_of(dev->ring, dev->slot)))
		return true;
	l = find(c, dev);
	if (!l)
		return false;
	l->timed = true;
	l->device_ns = dev->begin_ns;
	l->duration_ns = dev->duration_ns;
	return true;
}

void collective_launches_finish(struct collective_launches *c)
{
	for (size_t i = 0; i < c->recent.count; i++) {
		struct recent *r = table_item(&c->recent, i);

		while (r->first != r->last)
			settle_first(c, r, (uint16_t)c->recent.keys[i]);
		free(r->list);
	}
	table_free(&c->recent);
	table_free(&c->rings);
	table_free(&c->launches);
}
