#include "analysis/export/timeline/memory.h"

#include <stdio.h>

#include "config/contents.h"

/* What hands memory out. */
struct stock {
	struct counter counter;
	uint64_t bytes;	     /* that are handed out */
	struct pending live; /* what is, by address: its bytes in the place of a duration */
};

#define WINDOW 16384 /* changes: how far they may come out of order */

struct change {
	struct memory_event event;
	uint64_t ns, stock;
	bool shown;
};

/* Numbers of stocks: the vendor's memory by its place, or DEF_POOL. */
static uint64_t stock_of(const struct memory_counters *m, const struct memory_event *ev)
{
	const struct table *pools = &m->process->defs.pools;

	return ev->pool ? PLACES + pools->keys[((const uint8_t *)ev->pool - pools->items) / pools->item_size] : ev->place;
}

static void begin_stock(struct stock *s, uint32_t pid, const struct memory_event *ev)
{
	const struct pool *pool = ev->pool;
	char *title = s->counter.title;

	if (pool)
		snprintf(title, sizeof(s->counter.title), "%s%.80s, device %u", pool->def.stock ? "stock of " : "",
			 pool->domain ? pool->domain : "allocator", pool->def.device);
	else
		snprintf(title, sizeof(s->counter.title), "%s memory", ev->place == PLACE_HOST ? "host" : "device");
	s->counter.pid = pid;
	s->counter.unit = "bytes";
}

/* A live address that comes back was freed unseen. */
static void take(struct stock *s, const struct memory_event *ev)
{
	struct pending_time live = { .event = ev->address, .duration_ns = ev->bytes }, was;

	if (pending_take(&s->live, ev->address, &was))
		s->bytes -= was.duration_ns;
	if (ev->is_free)
		return;
	pending_put_time(&s->live, &live);
	s->bytes += ev->bytes;
}

static void put_change(void *context, const void *item)
{
	const struct change *change = item;
	struct memory_counters *m = context;
	struct stock *s = table_put(&m->stocks, change->stock);

	if (!s->counter.unit)
		begin_stock(s, m->pid, &change->event);
	take(s, &change->event);
	if (change->shown)
		line_count(m->writer, &s->counter, change->ns, s->bytes);
}

void memory_counters_begin(struct memory_counters *m, struct line_writer *writer, const struct export *export, const struct process *p, uint32_t pid)
{
	const char *contents = process_fact(p, "contents");

	*m = (struct memory_counters){ .writer = writer, .export = export, .process = p, .pid = pid, .stocks = TABLE(struct stock) };
	m->wanted = !*contents || contents_of(contents) & CONTENT_MEMORY;
}

static void push(struct memory_counters *m, struct change *change)
{
	if (!m->sorts)
		sorter_init(&m->sorter, sizeof(*change), WINDOW, put_change, m);
	m->sorts = true;
	change->stock = stock_of(m, &change->event);
	sorter_push(&m->sorter, change->ns, 0, change);
}

void memory_counters_event(struct memory_counters *m, const struct trace_event *ev)
{
	struct change change = { .shown = choice_has_place(m->export->choice, ev->step, ev->place) && export_wants_kind(m->export, ev->kind) };

	if (m->wanted && memory_event_of(&change.event, &change.ns, ev))
		push(m, &change);
}

/* Of no step that is known. */
void memory_counters_piece(struct memory_counters *m, const struct trace_piece *piece)
{
	struct change change = {
		.event = { .address = piece->address, .bytes = piece->bytes, .is_free = piece->is_free, .pool = piece->pool },
		.ns = piece->ns,
		.shown = choice_has_place(m->export->choice, STEP_NULL, NULL) && export_wants_kind(m->export, EV_ALLOC),
	};

	push(m, &change);
}

void memory_counters_end(struct memory_counters *m)
{
	if (m->sorts) {
		sorter_flush(&m->sorter);
		sorter_free(&m->sorter);
	}
	for (size_t i = 0; i < m->stocks.count; i++)
		pending_free(&((struct stock *)table_item(&m->stocks, i))->live);
	table_free(&m->stocks);
}
