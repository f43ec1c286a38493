/* memory.c - section: memory of the device, and of the host for it. */
#include "analysis/report/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/allocators.h"
#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/util/alloc.h"
#include "analysis/util/short_sorter.h"
#include "analysis/util/sorter.h"
#include "config/contents.h"

struct memory_reading {
	struct memory *sums;
	const struct defs *defs;
	bool pinned;		    /* it has functions that hand out memory of the host */
	bool one_ring;		    /* of one ring: in that one's order, and: */
	struct short_sorter nearly; /* struct memory_event by time */
	struct sorter sorter;	    /* the same of several */
	struct table live;	    /* struct live_piece by address: of all memory */
	struct table there[PLACES]; /* the same by where it is, once that differs */
	bool apart;		    /* it does */
	struct table allocators;    /* struct allocator_row by name and device */
};

/* ---- in order of time ---- */

/* As long as all memory is the device's its sum is that of all. */
static void tell_places_apart(struct memory_reading *m)
{
	m->apart = true;
	m->sums->places[PLACE_DEVICE] = m->sums->all;
	memory_growth_copy(&m->sums->there[PLACE_DEVICE], &m->sums->growth);
	for (size_t i = 0; i < m->live.count; i++)
		memcpy(table_put(&m->there[PLACE_DEVICE], m->live.keys[i]), table_item(&m->live, i), m->live.item_size);
}

/* Out of line: those who never need it would save registers for it. */
static __attribute__((noinline)) void take_apart(struct memory_reading *m, const struct memory_event *ev)
{
	if (!m->apart)
		tell_places_apart(m);
	memory_growth_add(&m->sums->growth, ev->step, live_memory_take(&m->sums->all, &m->live, ev));
	memory_growth_add(&m->sums->there[ev->place], ev->step, live_memory_take(&m->sums->places[ev->place], &m->there[ev->place], ev));
}

static void take_sorted(void *context, const void *item)
{
	const struct memory_event *ev = item;
	struct memory_reading *m = context;

	if (ev->pool)
		allocators_take(&m->allocators, ev);
	else if (m->apart || ev->place != PLACE_DEVICE)
		take_apart(m, ev);
	else
		memory_growth_add(&m->sums->growth, ev->step, live_memory_take(&m->sums->all, &m->live, ev));
}

/* ---- in order of the files ---- */

static bool has_pinned(const struct defs *d)
{
	for (size_t i = 0; i < d->hooks.count; i++)
		if (((const struct hook_name *)table_item(&d->hooks, i))->flags & DEF_HOOK_HOST)
			return true;
	return false;
}

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	struct memory *sums = kept;
	struct memory_reading *m = sums->reading = alloc_zero(1, sizeof(*m));

	(void)asked;
	*m = (struct memory_reading){
		.sums = sums,
		.defs = &p->defs,
		.pinned = has_pinned(&p->defs),
		.live = TABLE(struct live_piece),
		.there = { TABLE(struct live_piece), TABLE(struct live_piece) },
		.allocators = TABLE(struct allocator_row),
	};
	m->one_ring = process_has_one_ring(p);
	if (m->one_ring) /* only what was made inside of a call comes before it */
		short_sorter_init(&m->nearly, sizeof(struct memory_event), take_sorted, m);
	else
		sorter_init(&m->sorter, sizeof(struct memory_event), SORTER_WINDOW, take_sorted, m);
}

static inline struct memory_event *place(struct memory_reading *m, uint64_t ns)
{
	return m->one_ring ? short_sorter_place(&m->nearly, ns) : sorter_place(&m->sorter, ns, 0);
}

static inline void placed(struct memory_reading *m)
{
	if (m->one_ring)
		short_sorter_placed(&m->nearly);
	else
		sorter_placed(&m->sorter);
}

/* Asked of every allocation there is: most programs have none whose hook would have to be looked up. */
static inline enum place place_of(const struct memory_reading *m, const struct trace_event *ev)
{
	const struct hook_name *hook = m->pinned ? table_find(&m->defs->hooks, ev->hook) : NULL;

	return hook && hook->flags & DEF_HOOK_HOST ? PLACE_HOST : PLACE_DEVICE;
}

/* Of all steps: what lives was allocated before. */
static void take_event(void *kept, const struct trace_event *ev)
{
	struct memory_reading *m = ((struct memory *)kept)->reading;
	bool is_free = ev->kind == EV_FREE || ev->kind == EV_POOL_FREE, is_pool = ev->kind == EV_POOL_ALLOC || ev->kind == EV_POOL_FREE;

	if (ev->nested || ev->result || !ev->address || (is_pool && !ev->definition))
		return;
	if (is_pool && ev->has_totals)
		allocators_totals(&m->allocators, ev->definition, ev->allocated, ev->reserved);
	/* An address may be handed out again while its free is still returning. */
	*place(m, ev->begin_ns + (is_free ? 0 : ev->duration_ns)) = (struct memory_event){
		.address = ev->address,
		.bytes = ev->bytes,
		.is_free = is_free,
		.place = place_of(m, ev),
		.pool = ev->definition,
		.step = ev->step,
		.hook = ev->hook,
	};
	placed(m);
}

static void take_piece(void *kept, const struct trace_piece *piece)
{
	struct memory_reading *m = ((struct memory *)kept)->reading;

	*place(m, piece->ns) = (struct memory_event){
		.address = piece->address,
		.bytes = piece->bytes,
		.is_free = piece->is_free,
		.pool = piece->pool,
		.step = piece->step,
		.hook = piece->hook,
	};
	placed(m);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct unfreed_row *)a)->name, ((const struct unfreed_row *)b)->name);
}

/* What is left, by who handed it out. */
static void sum_unfreed(struct memory *sums, const struct memory_reading *m)
{
	struct table rows = TABLE(struct unfreed_row);

	for (size_t i = 0; i < m->live.count; i++) {
		const struct live_piece *piece = table_item(&m->live, i);
		struct unfreed_row *row = piece->size ? table_put(&rows, piece->hook) : NULL;
		const struct hook_name *hook = row && !row->name ? table_find(&m->defs->hooks, piece->hook) : NULL;

		if (!row)
			continue;
		if (!row->name)
			row->name = hook ? alloc_text(hook->name, strlen(hook->name)) : alloc_text("unknown", strlen("unknown"));
		row->count++;
		row->bytes += piece->size - 1;
	}
	sums->unfreed = table_hand_over(&rows, &sums->unfreed_count, by_name);
}

static void end(void *kept)
{
	struct memory *sums = kept;
	struct memory_reading *m = sums->reading;

	if (m->one_ring)
		short_sorter_flush(&m->nearly);
	else
		sorter_flush(&m->sorter);
	if (!m->apart)
		sums->places[PLACE_DEVICE] = sums->all;
	if (!m->apart)
		memory_growth_copy(&sums->there[PLACE_DEVICE], &sums->growth);
	memory_growth_end(&sums->growth);
	for (unsigned int i = 0; i < PLACES; i++)
		memory_growth_end(&sums->there[i]);
	sum_unfreed(sums, m);
	sums->allocators = allocators_hand_over(&m->allocators, &sums->allocator_count);
	table_free(&m->live);
	for (unsigned int i = 0; i < PLACES; i++)
		table_free(&m->there[i]);
	short_sorter_free(&m->nearly);
	sorter_free(&m->sorter);
	free(m);
}

static void let_go(void *kept)
{
	struct memory *sums = kept;

	allocators_free(sums->allocators, sums->allocator_count);
	memory_growth_free(&sums->growth);
	for (unsigned int i = 0; i < PLACES; i++)
		memory_growth_free(&sums->there[i]);
	for (size_t i = 0; i < sums->unfreed_count; i++)
		free(sums->unfreed[i].name);
	free(sums->unfreed);
}

static void parcel(struct parcel *p, void *kept)
{
	struct memory *sums = kept;

	PARCEL_U64S(p, sums->all);
	PARCEL_U64S(p, sums->places);
	memory_growth_parcel(p, &sums->growth);
	for (unsigned int i = 0; i < PLACES; i++)
		memory_growth_parcel(p, &sums->there[i]);
	for (size_t i = 0; parcel_has(p, i, &sums->unfreed, &sums->unfreed_count, sizeof(*sums->unfreed)); i++) {
		parcel_text(p, &sums->unfreed[i].name);
		PARCEL(p, sums->unfreed[i].count);
		PARCEL(p, sums->unfreed[i].bytes);
	}
	allocators_parcel(p, &sums->allocators, &sums->allocator_count);
}

/* ---- showing it ---- */

static const char *const place_words[PLACES] = { [PLACE_DEVICE] = "device", [PLACE_HOST] = "host" };

static const struct memory *of(const struct report *r)
{
	return r->sections[SECTION_memory];
}

static void put_head(struct out *o, const struct report *r)
{
	out_format(o, "\nMemory (while recorded)\n%5s ", "RANK");
	column_process_head(o, r);
	out_format(o, "%-6s %12s %10s %13s %10s %13s " MEMORY_GROWTH_HEAD "\n", "WHERE", "ALLOCATIONS", "FREES", "PEAK", "UNFREED", "UNFREED BYTES",
		   MEMORY_GROWTH_HEADS);
}

static void put_row(struct out *o, const struct report *r, enum place place)
{
	const struct memory_sum *m = &of(r)->places[place];
	char c[3][COLUMN];

	out_format(o, "%5s ", column_rank(r, c[0]));
	column_process(o, r);
	out_format(o, "%-6s %12" PRIu64 " %10" PRIu64 " %13s %10" PRIu64 " %13s ", place_words[place], m->allocations,
		   m->frees, column_bytes(m->peak_bytes, c[1]), m->unfreed, column_bytes(m->unfreed_bytes, c[2]));
	memory_growth_columns(o, r, &of(r)->there[place]);
	out_char(o, '\n');
}

/* Who asked for them is told that there were none. */
static bool asks_for_memory(const struct report *reports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!of(&reports[i])->allocator_count && contents_of(report_fact(&reports[i], "contents")) & CONTENT_MEMORY)
			return true;
	return false;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	bool head = false;

	(void)top;
	for (size_t i = 0; i < count * PLACES; i++) {
		const struct report *r = &reports[i / PLACES];
		const struct memory_sum *m = &of(r)->places[i % PLACES];

		if (!m->allocations && !m->frees)
			continue;
		if (!head)
			put_head(o, r);
		head = true;
		put_row(o, r, i % PLACES);
	}
	if (!head && asks_for_memory(reports, count))
		out_text(o, "\nMemory (while recorded)\nnone was allocated or freed by the vendor's calls: a framework's allocator hands out what it took before\n");
}

static void json_sum(struct out *o, const struct report *r, const struct memory_sum *m, const struct memory_growth *g)
{
	out_text(o, "{\"allocations\":");
	out_u64(o, m->allocations);
	out_json_number(o, "frees", m->frees);
	out_json_number(o, "bytes", m->bytes);
	out_json_number(o, "peak_bytes", m->peak_bytes);
	out_json_number(o, "unfreed", m->unfreed);
	out_json_number(o, "unfreed_bytes", m->unfreed_bytes);
	memory_growth_json(o, r, g);
}

static void json(struct out *o, const struct report *r)
{
	out_json_key(o, "memory");
	json_sum(o, r, &of(r)->all, &of(r)->growth);
	for (unsigned int i = 0; i < PLACES; i++) {
		out_json_key(o, place_words[i]);
		json_sum(o, r, &of(r)->places[i], &of(r)->there[i]);
		out_char(o, '}');
	}
	out_char(o, '}');
}

const struct section memory_section = {
	.kept = sizeof(struct memory),
	.begin = begin,
	.visitor = { .event = take_event, .piece = take_piece },
	.kinds = KIND_BIT(EV_ALLOC) | KIND_BIT(EV_FREE) | KIND_BIT(EV_POOL_ALLOC) | KIND_BIT(EV_POOL_FREE),
	.all_steps = true,
	.end = end,
	.free = let_go,
	.parcel = parcel,
	.of_calls = true,
	.text = text,
	.json = json,
};
