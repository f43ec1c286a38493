#include "analysis/export/ascend/parents.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/export/ascend/ascend.h"
#include "analysis/util/alloc.h"

#define KEPT	 262144 /* in each of the two */
#define SLOTS	 (2 * KEPT)
#define LAUNCHES 4096 /* that one call is known to make */

/* The last launches of a ring, which a call may turn out to hold: a ring of their own. */
struct recent_launches {
	uint64_t first, last;
	struct launched {
		uint64_t begin;
		uint32_t slot;
	} * list;
};

void parents_init(struct parents *p)
{
	*p = (struct parents){ .recent = TABLE(struct recent_launches) };
}

static size_t place_of(uint64_t id)
{
	return (size_t)((id * 0x9E3779B97F4A7C15ull) >> 40) & (SLOTS - 1);
}

static struct parent *find(struct parent *list, uint64_t id)
{
	size_t at = place_of(id);

	while (list[at].id && list[at].id != id)
		at = (at + 1) & (SLOTS - 1);
	return &list[at];
}

static struct parent *put(struct parents *p, uint64_t id)
{
	struct parent *found;

	if (!p->now || p->count == KEPT) {
		struct parent *old = p->before ? p->before : alloc_zero(SLOTS, sizeof(*old));

		if (p->before)
			memset(old, 0, SLOTS * sizeof(*old));
		p->before = p->now;
		p->now = old;
		p->count = 0;
	}
	found = find(p->now, id);
	p->count += !found->id;
	*found = (struct parent){ .id = id };
	return found;
}

const struct parent *parents_find(const struct parents *p, uint64_t id)
{
	const struct parent *found = p->now ? find(p->now, id) : NULL;

	if ((!found || !found->id) && p->before)
		found = find(p->before, id);
	return found && found->id ? found : NULL;
}

/* Those that began with this call, or after it: it is over now. */
static void take_around(struct parents *p, struct recent_launches *r, const struct trace_event *ev)
{
	while (r->last > r->first && r->list[(r->last - 1) % LAUNCHES].begin >= ev->begin_ns) {
		uint32_t slot = r->list[--r->last % LAUNCHES].slot;
		struct parent *launch = put(p, ascend_id(ev->ring, slot));

		launch->around = ascend_id(ev->ring, ev->slot);
		launch->begin = ev->begin_ns;
		launch->tid = ev->tid;
		launch->collective = ev->kind == EV_COLLECTIVE;
		launch->definition = launch->collective ? ev->definition : ev->launch;
	}
}

static void take_launch(struct recent_launches *r, const struct trace_event *ev)
{
	if (!r->list)
		r->list = alloc_zero(LAUNCHES, sizeof(*r->list));
	if (r->last - r->first == LAUNCHES)
		r->first++;
	r->list[r->last++ % LAUNCHES] = (struct launched){ ev->begin_ns, (uint32_t)ev->slot };
}

static void take_bytes(struct parents *p, const struct trace_event *ev)
{
	struct parent *copy = put(p, ascend_id(ev->ring, ev->slot));

	copy->bytes = ev->bytes;
	copy->direction = ev->direction;
}

static void take_range(struct parents *p, const struct trace_event *ev)
{
	struct parent *range = put(p, ascend_id(ev->ring, ev->slot));

	range->begin = ev->begin_ns;
	range->definition = ev->definition;
	range->tid = ev->tid;
}

void parents_take(struct parents *p, const struct trace_event *ev)
{
	switch (ev->kind) {
	case EV_LAUNCH: take_launch(table_put(&p->recent, ev->ring), ev); break;
	case EV_OPERATOR: take_around(p, table_put(&p->recent, ev->ring), ev); break;
	case EV_COLLECTIVE: take_around(p, table_put(&p->recent, ev->ring), ev); /* fall through */
	case EV_COPY:
	case EV_FILL:
	case EV_MAP: take_bytes(p, ev); break;
	case EV_MARKER: take_range(p, ev); break;
	default: break;
	}
}

void parents_clear(struct parents *p)
{
	for (size_t i = 0; i < p->recent.count; i++)
		free(((struct recent_launches *)table_item(&p->recent, i))->list);
	table_free(&p->recent);
	free(p->now);
	free(p->before);
	*p = (struct parents){ 0 };
}
