#include "analysis/export/ascend/memory.h"

#include <stdlib.h>

#include "analysis/export/ascend/ascend.h"
#include "analysis/trace/live_memory.h"
#include "analysis/util/alloc.h"

#define WINDOW	32768
#define UNKNOWN UINT64_MAX

struct change {
	struct memory_event event;
	const char *name;
	uint64_t ns;
	bool shown;
};

/* A pool, or the vendor's memory. */
struct component {
	const struct pool *pool;
	bool host;
	struct ascend_totals totals;
	struct table live; /* struct live by address */
};

struct live {
	uint64_t ns; /* 0: it was given back */
	uint64_t bytes;
	const char *name;
	struct ascend_totals then;
	bool shown;
};

enum { VENDOR = 1,
       PINNED };

struct ascend_memories {
	struct ascend *ascend;
	struct sorter sorter;
	struct table components; /* struct component by domain and device */
};

static struct component *component_of(struct ascend_memories *m, const struct memory_event *ev)
{
	const struct def_pool *def = ev->pool ? &ev->pool->def : NULL;
	bool host = ev->place == PLACE_HOST;
	uint64_t key = def ? (def->domain + 1) << 32 | def->device : host ? PINNED
									  : VENDOR;
	struct component *found = table_put(&m->components, key);

	if (!found->live.item_size)
		*found = (struct component){ .pool = ev->pool, .host = host, .totals = { 0, ev->pool || host ? UNKNOWN : 0 }, .live = TABLE(struct live) };
	return found;
}

static void tell(struct ascend_memories *m, const struct component *of, const struct live *live, uint64_t released)
{
	struct ascend_memory memory = {
		.name = live->name,
		.pool = of->pool,
		.host = of->host,
		.bytes = live->bytes,
		.allocated = live->ns,
		.released = released,
		.then = live->then,
		.now = released ? of->totals : (struct ascend_totals){ UNKNOWN, UNKNOWN },
	};

	if (!live->shown)
		return;
	ascend_open(m->ascend);
	m->ascend->format->memory(m->ascend, &memory);
}

/* The vendor's memory is taken from the device as it is handed out; how large a pool's stock is the pool tells. */
static void add_bytes(struct component *of, uint64_t bytes, bool taken)
{
	of->totals.allocated += taken ? bytes : -bytes;
	if (!of->pool && of->totals.reserved != UNKNOWN)
		of->totals.reserved = of->totals.allocated;
}

static void hand_out(struct ascend_memories *m, struct component *of, const struct change *c)
{
	struct live *live = table_put(&of->live, c->event.address);

	if (live->ns) { /* it was given back unseen */
		add_bytes(of, live->bytes, false);
		tell(m, of, live, 0);
	}
	add_bytes(of, c->event.bytes, true);
	*live = (struct live){ .ns = c->ns, .bytes = c->event.bytes, .name = c->name, .then = of->totals, .shown = c->shown };
}

static bool give_back(struct ascend_memories *m, struct component *of, const struct change *c)
{
	struct live *live = table_find(&of->live, c->event.address);

	if (!live || !live->ns)
		return false;
	add_bytes(of, live->bytes, false);
	tell(m, of, live, c->ns);
	live->ns = 0;
	return true;
}

static void put_change(void *context, const void *item)
{
	struct ascend_memories *m = context;
	const struct change *c = item;
	struct component *of = component_of(m, &c->event);

	if (c->event.pool && c->event.pool->def.stock)
		of->totals.reserved = c->event.is_free ? UNKNOWN : c->event.bytes;
	else if (!c->event.is_free)
		hand_out(m, of, c);
	else if (!give_back(m, of, c))
		return;
	if (!c->shown || c->event.place == PLACE_HOST)
		return;
	ascend_open(m->ascend);
	m->ascend->format->usage(m->ascend, &(struct ascend_memory){ .pool = c->event.pool, .allocated = c->ns, .then = of->totals });
}

struct ascend_memories *memories_new(struct ascend *a)
{
	struct ascend_memories *m = alloc_zero(1, sizeof(*m));

	m->ascend = a;
	m->components = TABLE(struct component);
	sorter_init(&m->sorter, sizeof(struct change), WINDOW, put_change, m);
	return m;
}

void memories_take(struct ascend_memories *m, const struct trace_event *ev)
{
	struct change c = {
		.name = ev->name,
		.shown = choice_has_place(m->ascend->export->choice, ev->step, ev->place) && export_wants_kind(m->ascend->export, ev->kind),
	};

	if (memory_event_of(&c.event, &c.ns, ev))
		sorter_push(&m->sorter, c.ns, 0, &c);
}

void memories_take_piece(struct ascend_memories *m, const struct trace_piece *piece)
{
	struct change c = {
		.event = { .address = piece->address, .bytes = piece->bytes, .is_free = piece->is_free, .pool = piece->pool },
		.name = piece->pool && piece->pool->domain ? piece->pool->domain : "memory",
		.ns = piece->ns,
		.shown = choice_has_place(m->ascend->export->choice, STEP_NULL, NULL), /* of no step that is known */
	};

	sorter_push(&m->sorter, c.ns, 0, &c);
}

void memories_free(struct ascend_memories *m)
{
	sorter_flush(&m->sorter);
	for (size_t i = 0; i < m->components.count; i++) {
		struct component *of = table_item(&m->components, i);

		for (size_t k = 0; k < of->live.count; k++)
			if (((struct live *)table_item(&of->live, k))->ns)
				tell(m, of, table_item(&of->live, k), 0);
		table_free(&of->live);
	}
	table_free(&m->components);
	sorter_free(&m->sorter);
	free(m);
}
