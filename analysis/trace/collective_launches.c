#include "analysis/trace/collective_launches.h"

#define RECENT 64 /* launches that one collective may make */

struct launched {
	uint64_t begin_ns;
	uint32_t slot;
	bool timed;
	struct trace_device device;
};

struct recent {
	uint64_t first, last; /* count up for ever */
	struct launched list[RECENT];
};

static uint64_t key_of(uint16_t ring, uint32_t slot)
{
	return (uint64_t)ring << 32 | slot;
}

void collective_launches_init(struct collective_launches *c, bool wanted, void (*settle)(void *context, const struct trace_device *dev), void *context)
{
	*c = (struct collective_launches){
		.wanted = wanted, .recent = TABLE(struct recent), .launches = TABLE(uint8_t), .settle = settle, .context = context
	};
}

static void settle_first(struct collective_launches *c, struct recent *r)
{
	const struct launched *l = &r->list[r->first++ % RECENT];

	if (l->timed)
		c->settle(c->context, &l->device);
}

static void take_collective(struct collective_launches *c, struct recent *r, const struct trace_event *ev)
{
	while (r->last > r->first && r->list[(r->last - 1) % RECENT].begin_ns >= ev->begin_ns)
		table_put(&c->launches, key_of((uint16_t)ev->ring, r->list[--r->last % RECENT].slot));
}

static void take_launch(struct collective_launches *c, struct recent *r, const struct trace_event *ev)
{
	if (r->last - r->first == RECENT)
		settle_first(c, r);
	r->list[r->last++ % RECENT] = (struct launched){ .begin_ns = ev->begin_ns, .slot = (uint32_t)ev->slot };
}

void collective_launches_follow(struct collective_launches *c, const struct trace_event *ev)
{
	if (ev->kind == EV_COLLECTIVE)
		take_collective(c, table_put(&c->recent, ev->ring), ev);
	else if (ev->kind == EV_LAUNCH)
		take_launch(c, table_put(&c->recent, ev->ring), ev);
}

static struct launched *find(struct collective_launches *c, const struct trace_device *dev)
{
	struct recent *r = table_find(&c->recent, dev->ring);

	for (uint64_t i = r ? r->last : 0; r && i-- > r->first;)
		if (r->list[i % RECENT].slot == dev->slot)
			return &r->list[i % RECENT];
	return NULL;
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
	l->device = *dev;
	return true;
}

void collective_launches_finish(struct collective_launches *c)
{
	for (size_t i = 0; i < c->recent.count; i++) {
		struct recent *r = table_item(&c->recent, i);

		while (r->first != r->last)
			settle_first(c, r);
	}
	table_free(&c->recent);
	table_free(&c->launches);
}
