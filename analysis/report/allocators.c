/* allocators.c - section: the allocators of frameworks. */
#include "analysis/report/allocators.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/memory.h"
#include "analysis/report/section.h"
#include "analysis/util/alloc.h"

static struct allocator_row *row_of(struct table *allocators, const struct pool *pool)
{
	struct allocator_row *row = table_put(allocators, pool->def.domain << 32 | pool->def.device);

	if (!row->live.item_size) {
		row->live = TABLE(struct live_piece);
		row->device = pool->def.device;
		row->name = pool->domain ? alloc_text(pool->domain, strlen(pool->domain)) : NULL;
	}
	return row;
}

static void raise(uint64_t *most, uint64_t n)
{
	if (n > *most)
		*most = n;
}

void allocators_totals(struct table *allocators, const struct pool *pool, uint64_t allocated, uint64_t reserved)
{
	struct allocator_row *row = row_of(allocators, pool);

	raise(&row->told, allocated);
	raise(&row->held, reserved);
}

void allocators_take(struct table *allocators, const struct memory_event *ev)
{
	const struct def_pool *def = &ev->pool->def;
	struct allocator_row *row = row_of(allocators, ev->pool);

	if (!def->stock)
		memory_growth_add(&row->growth, ev->step, live_memory_take(&row->handed_out, &row->live, ev));
	else if (!ev->is_free)
		raise(&row->held, ev->bytes);
}

const char *allocators_name(const struct allocator_row *row)
{
	return row->name ? row->name : "-";
}

static int by_name(const void *a, const void *b)
{
	const struct allocator_row *x = a, *y = b;
	int order = strcmp(allocators_name(x), allocators_name(y));

	return order ? order : (x->device > y->device) - (x->device < y->device);
}

struct allocator_row *allocators_hand_over(struct table *allocators, size_t *count)
{
	for (size_t i = 0; i < allocators->count; i++) {
		struct allocator_row *row = table_item(allocators, i);

		memory_growth_end(&row->growth);
		table_free(&row->live);
	}
	return table_hand_over(allocators, count, by_name);
}

void allocators_free(struct allocator_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(rows[i].name);
		memory_growth_free(&rows[i].growth);
	}
	free(rows);
}

void allocators_parcel(struct parcel *p, struct allocator_row **rows, size_t *count)
{
	for (size_t i = 0; parcel_has(p, i, rows, count, sizeof(**rows)); i++) {
		struct allocator_row *row = &(*rows)[i];

		parcel_text_or_none(p, &row->name);
		PARCEL(p, row->device);
		PARCEL_U64S(p, row->handed_out);
		memory_growth_parcel(p, &row->growth);
		PARCEL(p, row->held);
		PARCEL(p, row->told);
	}
}

static const struct memory *of(const struct report *r)
{
	return r->sections[SECTION_memory];
}

/* ---- as a table ---- */

static void put_head(struct out *o, const struct report *r)
{
	out_format(o, "\nAllocators of frameworks (while recorded)\n%5s ", "RANK");
	column_process_head(o, r);
	out_format(o, "%6s %12s %10s %13s %10s %13s %13s " MEMORY_GROWTH_HEAD "  %s\n", "DEVICE", "ALLOCATIONS", "FREES", "PEAK", "UNFREED", "UNFREED BYTES", "HELD",
		   MEMORY_GROWTH_HEADS, "NAME");
}

static void put_row(struct out *o, const struct report *r, const struct allocator_row *row)
{
	const struct memory_sum *m = &row->handed_out;
	char c[4][COLUMN];

	out_format(o, "%5s ", column_rank(r, c[0]));
	column_process(o, r);
	out_format(o, "%6" PRIu32 " %12" PRIu64 " %10" PRIu64 " %13s ", row->device, m->allocations,
		   m->frees, column_bytes(row->told ? row->told : m->peak_bytes, c[1]));
	out_format(o, "%10" PRIu64 " %13s %13s ", m->unfreed, column_bytes(m->unfreed_bytes, c[2]),
		   row->held ? column_bytes(row->held, c[3]) : "-");
	memory_growth_columns(o, r, &row->growth);
	out_text(o, "  ");
	out_utf8(o, allocators_name(row));
	out_char(o, '\n');
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	bool head = false;

	(void)top;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < of(&reports[i])->allocator_count; k++) {
			if (!head)
				put_head(o, &reports[i]);
			head = true;
			put_row(o, &reports[i], &of(&reports[i])->allocators[k]);
		}
	}
}

/* ---- as JSON ---- */

static void json(struct out *o, const struct report *r)
{
	const struct memory *all = of(r);

	out_text(o, ",\"pools\":[");
	for (size_t i = 0; i < all->allocator_count; i++) {
		const struct allocator_row *row = &all->allocators[i];
		const struct memory_sum *m = &row->handed_out;

		out_text(o, i ? ",{\"name\":" : "{\"name\":");
		out_json(o, allocators_name(row));
		out_json_number(o, "device", row->device);
		out_json_number(o, "allocations", m->allocations);
		out_json_number(o, "frees", m->frees);
		out_json_number(o, "bytes", m->bytes);
		out_json_number(o, "peak_bytes", m->peak_bytes);
		out_json_number(o, "unfreed", m->unfreed);
		out_json_number(o, "unfreed_bytes", m->unfreed_bytes);
		out_json_number(o, "held_bytes", row->held);
		if (row->told)
			out_json_number(o, "told_peak_bytes", row->told);
		memory_growth_json(o, r, &row->growth);
		out_char(o, '}');
	}
	out_char(o, ']');
}

const struct section allocators_section = { .of_calls = true, .text = text, .json = json, .csv = "pools" };
