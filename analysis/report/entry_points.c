/* entry_points.c - section: how often each entry point was called, and how long that took on the host. */
#include "analysis/report/entry_points.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/dropped_steps.h"
#include "analysis/report/section.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	(void)asked;
	*(struct entry_points *)kept = (struct entry_points){
		.defs = &p->defs,
		.hooks = TABLE(struct entry_point),
		.functions = TABLE(struct entry_point),
	};
}

static inline struct entry_point *row_of(struct entry_points *e, const struct trace_event *ev)
{
	bool named = ev->kind == EV_OPERATOR || ev->kind == EV_PREPARE;

	return named ? table_put(&e->functions, (uintptr_t)ev->name) : table_put(&e->hooks, ev->hook);
}

void entry_points_take(struct entry_points *e, const struct trace_event *list, size_t count)
{
	for (const struct trace_event *ev = list; ev < list + count; ev++) {
		struct entry_point *row = row_of(e, ev);

		if (ev->duration_ns > row->worst || !row->calls) {
			row->kind = ev->kind;
			row->worst = ev->duration_ns;
			row->worst_step = ev->step;
		}
		row->calls++;
		row->total += ev->duration_ns;
		durations_add(&row->times, ev->duration_ns);
	}
}

/* The row's durations go along. */
static void add(struct table *rows, const char *name, const struct entry_point *taken)
{
	struct entry_point *row = table_add(rows, rows->count);

	*row = *taken;
	row->name = alloc_text(name, strlen(name));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry_point *)a)->name, ((const struct entry_point *)b)->name);
}

static void join(struct entry_point *row, const struct entry_point *other)
{
	row->calls += other->calls;
	row->total += other->total;
	if (other->worst > row->worst) {
		row->worst = other->worst;
		row->worst_step = other->worst_step;
		row->of = other->of;
	}
	durations_join(&row->times, &other->times);
}

/* Two rows may have one name (two providers). How many are left. */
static size_t merge(struct entry_point *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 1; i < count; i++) {
		if (by_name(&rows[kept], &rows[i])) {
			rows[++kept] = rows[i];
			continue;
		}
		join(&rows[kept], &rows[i]);
		durations_free(&rows[i].times);
		free(rows[i].name);
	}
	return count ? kept + 1 : 0;
}

static void end(void *kept)
{
	struct entry_points *e = kept;
	struct table rows = TABLE(struct entry_point);

	for (size_t i = 0; i < e->hooks.count; i++) {
		const struct hook_name *hook = table_find(&e->defs->hooks, e->hooks.keys[i]);

		add(&rows, hook ? hook->name : "unknown", table_item(&e->hooks, i));
	}
	for (size_t i = 0; i < e->functions.count; i++)
		add(&rows, (const char *)(uintptr_t)e->functions.keys[i], table_item(&e->functions, i));
	table_free(&e->hooks);
	table_free(&e->functions);
	e->list = table_hand_over(&rows, &e->count, by_name);
	e->count = merge(e->list, e->count);
}

static void let_go(void *kept)
{
	struct entry_points *e = kept;

	for (size_t i = 0; i < e->count; i++) {
		durations_free(&e->list[i].times);
		free(e->list[i].name);
	}
	free(e->list);
}

static void parcel(struct parcel *p, void *kept)
{
	struct entry_points *e = kept;

	for (size_t i = 0; parcel_has(p, i, &e->list, &e->count, sizeof(*e->list)); i++) {
		struct entry_point *row = &e->list[i];

		parcel_text(p, &row->name);
		PARCEL_ENUM(p, row->kind, EV_KINDS + 1);
		PARCEL(p, row->calls);
		PARCEL(p, row->total);
		PARCEL(p, row->worst);
		PARCEL(p, row->worst_step);
		durations_parcel(p, &row->times);
	}
}

/* ---- showing them ---- */

static const struct entry_points *kept_of(const struct report *r)
{
	return r->sections[SECTION_entry_points];
}

/* Calls that wait, then those that build or load programs, then all others. */
static int class_of(const struct entry_point *row)
{
	if (row->kind == EV_SYNC)
		return 0;
	return row->kind == EV_MODULE ? 1 : 2;
}

/* In a class the one that took longest in all. */
static int by_class(const void *a, const void *b)
{
	const struct entry_point *x = a, *y = b;

	if (class_of(x) != class_of(y))
		return class_of(x) - class_of(y);
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return by_name(a, b);
}

/* Those of several processes, a row a name. Names belong to the processes. */
static struct entry_point *gather(const struct report *reports, size_t count, size_t *gathered)
{
	struct entry_point *rows;
	size_t n = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		n += kept_of(&reports[i])->count;
	rows = alloc_zero(n + 1, sizeof(*rows));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < kept_of(&reports[i])->count; k++) {
			rows[used] = kept_of(&reports[i])->list[k];
			rows[used++].of = &reports[i];
		}
	*gathered = used;
	return rows;
}

static struct entry_point *joined(const struct report *reports, size_t count, size_t *kept)
{
	size_t n, used = 0;
	struct entry_point *rows = gather(reports, count, &n);

	qsort(rows, n, sizeof(*rows), by_name);
	for (size_t i = 0; i < n; i++) {
		struct entry_point taken = rows[i];

		if (!used || by_name(&rows[used - 1], &taken)) {
			rows[used] = taken;
			rows[used].times = (struct durations){ 0 };
			durations_join(&rows[used++].times, &taken.times);
		} else {
			join(&rows[used - 1], &taken);
		}
	}
	qsort(rows, used, sizeof(*rows), by_class);
	*kept = used;
	return rows;
}

static void put_worst(struct out *o, const struct entry_point *row, bool several)
{
	char rank[COLUMN];

	if (row->worst_step == STEP_NULL)
		out_text(o, "  outside of steps");
	else
		out_format(o, "  step %" PRId64, row->worst_step);
	if (several) {
		out_format(o, " of rank %s", column_rank(row->of, rank));
		column_of_process(o, row->of);
	}
	if (dropped_steps_has(row->of, row->worst_step))
		out_text(o, ", which lost calls");
	out_char(o, '\n');
}

static void put_line(struct out *o, const struct entry_point *row, bool several)
{
	const struct durations *d = &row->times;
	char c[4][COLUMN];

	out_format(o, "%10" PRIu64 " %13s %13s %13s %13s  %-12s ", row->calls, column_duration(row->total, c[0]),
		   column_duration(durations_median(d), c[1]), column_duration(durations_p99(d), c[2]),
		   column_duration(row->worst, c[3]), kind_words[row->kind]);
	column_name(o, row->name);
	put_worst(o, row, several);
}

/* So many of those that wait or build, and so many of the others: neither hides the other. Those come first. */
static size_t choose(struct entry_point *rows, size_t count, size_t top)
{
	size_t kept = 0, of[2] = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (of[class_of(&rows[i]) == 2]++ >= top) {
			durations_free(&rows[i].times);
			continue;
		}
		rows[kept++] = rows[i];
	}
	return kept;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	size_t n, shown;
	struct entry_point *rows = joined(reports, count, &n);

	shown = choose(rows, n, top);
	if (n)
		out_format(o, "\nHost time by entry point (%zu of %zu)\n%10s %13s %13s %13s %13s  %-12s %s\n", shown, n,
			   "CALLS", "TOTAL", "MEDIAN", "P99", "WORST", "KIND", "NAME, THE WORST ONE'S STEP");
	for (size_t i = 0; i < shown; i++) {
		put_line(o, &rows[i], count > 1);
		durations_free(&rows[i].times);
	}
	free(rows);
}

static void put_times(struct out *o, const struct report *r, const struct entry_point *row)
{
	out_text(o, "{\"name\":");
	out_json(o, row->name);
	out_json_text(o, "kind", kind_words[row->kind]);
	out_json_number(o, "calls", row->calls);
	out_json_number(o, "total_ns", row->total);
	out_json_number(o, "median_ns", durations_median(&row->times));
	out_json_number(o, "p99_ns", durations_p99(&row->times));
	out_json_number(o, "worst_ns", row->worst);
	out_json_key(o, "worst_step");
	if (row->worst_step == STEP_NULL)
		out_text(o, "null");
	else
		out_i64(o, row->worst_step);
	out_json_truth(o, "worst_step_lost_calls", dropped_steps_has(r, row->worst_step));
	out_char(o, '}');
}

static void json(struct out *o, const struct report *r)
{
	const struct entry_points *e = kept_of(r);
	size_t n;
	struct entry_point *rows = gather(r, 1, &n);

	out_json_key(o, "entry_points");
	out_char(o, '{');
	for (size_t i = 0; i < e->count; i++) {
		out_json_comma(o, i);
		out_json(o, e->list[i].name);
		out_char(o, ':');
		out_u64(o, e->list[i].calls);
	}
	out_char(o, '}');
	qsort(rows, n, sizeof(*rows), by_class);
	out_json_key(o, "host_times");
	out_char(o, '[');
	for (size_t i = 0; i < n; i++) {
		out_json_comma(o, i);
		put_times(o, r, &rows[i]);
	}
	out_char(o, ']');
	free(rows);
}

const struct section entry_points_section = {
	.kept = sizeof(struct entry_points),
	.begin = begin,
	.end = end,
	.free = let_go,
	.parcel = parcel,
	.of_calls = true,
	.text = text,
	.json = json,
	.csv = "host_times",
};
