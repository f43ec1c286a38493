/* matrix_products.c - section: operators that multiply matrices, what they compute by their shapes, and how fast that is. */
#include "analysis/report/matrix_products.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/trace/products.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"

/* Calls of one name and shapes. */
struct product_launch {
	const struct launch *launch;
	const struct product *product; /* NULL: it is none */
	uint64_t flop;		       /* of a call; 0: not known */
	uint64_t calls, timed, device_ns;
};

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	(void)p;
	(void)asked;
	((struct matrix_products *)kept)->launches = TABLE(struct product_launch);
}

static struct product_launch *launch_of(struct matrix_products *m, const struct launch *launch)
{
	struct product_launch *l = table_put(&m->launches, (uintptr_t)launch);

	if (l->launch)
		return l;
	l->launch = launch;
	l->product = product_of(launch->name);
	l->flop = l->product ? product_flop(l->product, launch->shapes) : 0;
	return l;
}

void matrix_products_take(struct matrix_products *m, const struct trace_event *ev)
{
	if (ev->kind == EV_OPERATOR && ev->launch)
		launch_of(m, ev->launch)->calls++;
}

void matrix_products_time(struct matrix_products *m, const struct trace_device *dev)
{
	struct product_launch *l;

	if (dev->kind != EV_OPERATOR || !dev->launch)
		return;
	l = launch_of(m, dev->launch);
	l->timed++;
	l->device_ns += dev->duration_ns;
}

/* ---- rows ---- */

static int by_name(const void *a, const void *b)
{
	const struct product_row *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (int)x->type - (int)y->type;
}

static int most_first(const void *a, const void *b)
{
	const struct product_row *x = a, *y = b;

	if (x->flop != y->flop)
		return x->flop < y->flop ? 1 : -1;
	return by_name(a, b);
}

static void join(struct product_row *row, const struct product_row *other)
{
	row->calls += other->calls;
	row->counted += other->counted;
	row->timed += other->timed;
	row->device_ns += other->device_ns;
	row->flop += other->flop;
	row->timed_flop += other->timed_flop;
}

static struct product_row row_of(const struct product_launch *l)
{
	const struct shapes *shapes = l->launch->shapes;
	struct product_row row = { .calls = l->calls };

	if (shapes && l->product->left < shapes->def.tensors)
		row.type = shapes->tensors[l->product->left].type < DATA_COUNT ? shapes->tensors[l->product->left].type : DATA_OTHER;
	if (!l->flop)
		return row;
	row.counted = l->calls;
	row.timed = l->timed;
	row.device_ns = l->device_ns;
	row.flop = (double)l->flop * (double)l->calls;
	row.timed_flop = (double)l->flop * (double)l->timed;
	return row;
}

/* Sorts, and makes one of those of a name and type. free_names: a name that goes is the row's own. How many are left. */
static size_t fold(struct product_row *rows, size_t count, bool free_names)
{
	size_t kept = 0;

	qsort(rows, count, sizeof(*rows), by_name);
	for (size_t i = 0; i < count; i++) {
		if (!kept || by_name(&rows[kept - 1], &rows[i])) {
			rows[kept++] = rows[i];
			continue;
		}
		join(&rows[kept - 1], &rows[i]);
		if (free_names)
			free(rows[i].name);
	}
	qsort(rows, kept, sizeof(*rows), most_first);
	return kept;
}

static void end(void *kept)
{
	struct matrix_products *m = kept;
	bool shapes = false;

	m->list = alloc_zero(m->launches.count + 1, sizeof(*m->list));
	for (size_t i = 0; i < m->launches.count; i++) {
		const struct product_launch *l = table_item(&m->launches, i);

		if (!l->product || !l->calls)
			continue;
		shapes |= l->launch->shapes != NULL;
		m->list[m->count] = row_of(l);
		m->list[m->count].name = alloc_text(l->launch->name, strlen(l->launch->name));
		m->count++;
	}
	table_free(&m->launches);
	m->count = fold(m->list, m->count, true);
	while (!shapes && m->count)
		free(m->list[--m->count].name);
}

static void let_go(void *kept)
{
	struct matrix_products *m = kept;

	for (size_t i = 0; i < m->count; i++)
		free(m->list[i].name);
	free(m->list);
}

/* ---- showing them ---- */

static const struct matrix_products *of(const struct report *r)
{
	return r->sections[SECTION_matrix_products];
}

static const char *column_flop(double flop, char *text)
{
	static const char *const units[] = { "", "k", "M", "G", "T", "P", "E", "Z" };
	size_t u = 0;

	for (; flop >= 1000 && u < 7; u++)
		flop /= 1000;
	snprintf(text, COLUMN, "%.3f %sFLOP", flop, units[u]);
	return text;
}

static void put_row(struct out *o, const struct product_row *row)
{
	char c[2][COLUMN], rate[COLUMN] = "-";

	if (row->device_ns)
		snprintf(rate, COLUMN, "%.3f", row->timed_flop / (double)row->device_ns / 1000);
	out_format(o, "%10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %15s %13s %10s  %-8s ", row->calls, row->counted, row->timed,
		   column_flop(row->flop, c[0]), row->timed ? column_duration(row->device_ns, c[1]) : "-", rate,
		   row->type ? data_words[row->type] : "-");
	out_utf8(o, row->name);
	out_char(o, '\n');
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	struct product_row *rows;
	size_t n = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		n += of(&reports[i])->count;
	rows = alloc_zero(n + 1, sizeof(*rows));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < of(&reports[i])->count; k++)
			rows[used++] = of(&reports[i])->list[k];
	n = fold(rows, n, false);
	if (n)
		out_format(o, "\nMatrix products (%zu of %zu)\n%10s %10s %10s %15s %13s %10s  %-8s %s\n", n < top ? n : top, n, "CALLS", "COUNTED",
			   "TIMED", "WORK", "DEVICE", "TFLOP/S", "TYPE", "NAME");
	for (size_t i = 0; i < n && i < top; i++)
		put_row(o, &rows[i]);
	free(rows);
}

static void json(struct out *o, const struct report *r)
{
	const struct matrix_products *m = of(r);

	out_json_key(o, "matrix_products");
	out_char(o, '[');
	for (size_t i = 0; i < m->count; i++) {
		const struct product_row *row = &m->list[i];

		out_text(o, i ? ",{\"name\":" : "{\"name\":");
		out_json(o, row->name);
		out_json_text(o, "type", row->type ? data_words[row->type] : NULL);
		out_json_number(o, "calls", row->calls);
		out_json_number(o, "counted", row->counted);
		out_format(o, ",\"flop\":%.0f", row->flop);
		out_json_number(o, "timed", row->timed);
		out_json_number(o, "device_ns", row->device_ns);
		if (row->device_ns)
			out_format(o, ",\"tflop_per_s\":%.6f", row->timed_flop / (double)row->device_ns / 1000);
		out_char(o, '}');
	}
	out_char(o, ']');
}

const struct section matrix_products_section = {
	.kept = sizeof(struct matrix_products),
	.begin = begin,
	.end = end,
	.free = let_go,
	.of_calls = true,
	.text = text,
	.json = json,
};
