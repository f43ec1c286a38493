#include "analysis/report/memory.h"

#include <string.h>

#include "analysis/report/allocators.h"

void memory_take(struct memory_sum *m, struct table *live, const struct memory_event *ev)
{
	uint64_t *known = table_put(live, ev->address);
	uint64_t was = *known;

	/* A live address that comes back was freed unseen: what is new is another allocation. */
	if (was) {
		m->unfreed_bytes -= was - 1;
		m->unfreed--;
	}
	*known = 0;
	if (ev->is_free) {
		m->frees++;
		return;
	}
	*known = ev->bytes + 1;
	m->allocations++;
	m->unfreed++;
	m->unfreed_bytes += ev->bytes;
	m->bytes += ev->bytes;
	if (m->unfreed_bytes > m->peak_bytes)
		m->peak_bytes = m->unfreed_bytes;
}

/* As long as all memory is the device's its sum is that of all. */
static void tell_places_apart(struct memory_sums *m)
{
	m->apart = true;
	m->report->places[PLACE_DEVICE] = m->report->memory;
	for (size_t i = 0; i < m->live.count; i++)
		memcpy(table_put(&m->there[PLACE_DEVICE], m->live.keys[i]), table_item(&m->live, i), m->live.item_size);
}

/* Out of line: those who never need it would save registers for it. */
static __attribute__((noinline)) void take_apart(struct memory_sums *m, const struct memory_event *ev)
{
	if (!m->apart)
		tell_places_apart(m);
	memory_take(&m->report->memory, &m->live, ev);
	memory_take(&m->report->places[ev->place], &m->there[ev->place], ev);
}

static void take_sorted(void *context, const void *item)
{
	const struct memory_event *ev = item;
	struct memory_sums *m = context;

	if (ev->pool)
		allocators_take(&m->allocators, ev);
	else if (m->apart || ev->place != PLACE_DEVICE)
		take_apart(m, ev);
	else
		memory_take(&m->report->memory, &m->live, ev);
}

static bool has_pinned(const struct defs *d)
{
	for (size_t i = 0; i < d->hooks.count; i++)
		if (((const struct hook_name *)table_item(&d->hooks, i))->pinned)
			return true;
	return false;
}

void memory_sums_init(struct memory_sums *m, struct report *r, struct process *p)
{
	*m = (struct memory_sums){
		.report = r,
		.process = p,
		.pinned = has_pinned(&p->defs),
		.live = TABLE(uint64_t),
		.there = { TABLE(uint64_t), TABLE(uint64_t) },
		.allocators = TABLE(struct allocator_row),
	};
	sorter_init(&m->sorter, sizeof(struct memory_event), SORTER_WINDOW, take_sorted, m);
}

/* Asked of every allocation there is: most programs have none whose hook would have to be looked up. */
static inline enum place place_of(const struct memory_sums *m, const struct trace_event *ev)
{
	const struct hook_name *hook = m->pinned ? table_find(&m->process->defs.hooks, ev->hook) : NULL;

	return hook && hook->pinned ? PLACE_HOST : PLACE_DEVICE;
}

void memory_sums_take(struct memory_sums *m, const struct trace_event *ev)
{
	struct memory_event item = {
		.address = ev->address,
		.bytes = ev->bytes,
		.is_free = ev->kind == EV_FREE || ev->kind == EV_POOL_FREE,
		.place = place_of(m, ev),
		.pool = ev->definition,
	};
	bool pool = ev->kind == EV_POOL_ALLOC || ev->kind == EV_POOL_FREE;

	if (!ev->address || (pool && !item.pool))
		return;
	/* An address may be handed out again while its free is still returning. */
	sorter_push(&m->sorter, ev->begin_ns + (item.is_free ? 0 : ev->duration_ns), 0, &item);
}

void memory_sums_piece(struct memory_sums *m, const struct trace_piece *piece)
{
	struct memory_event item = { .address = piece->address, .bytes = piece->bytes, .is_free = piece->is_free, .pool = piece->pool };

	sorter_push(&m->sorter, piece->ns, 0, &item);
}

void memory_sums_finish(struct memory_sums *m)
{
	struct report *r = m->report;

	sorter_flush(&m->sorter);
	if (!m->apart)
		r->places[PLACE_DEVICE] = r->memory;
	r->allocators = allocators_hand_over(&m->allocators, &r->allocator_count);
	table_free(&m->live);
	for (unsigned int i = 0; i < PLACES; i++)
		table_free(&m->there[i]);
	sorter_free(&m->sorter);
}
