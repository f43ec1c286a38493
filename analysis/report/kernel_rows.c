#include "analysis/report/kernel_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/util/alloc.h"

#define WITH_TIMES 1000 /* rows of a process, the longest: their times are kept when it has been read */

static int by_name(const void *a, const void *b)
{
	const struct kernel_row *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (int)x->kind - (int)y->kind;
}

int kernel_rows_order(const void *a, const void *b)
{
	const struct kernel_row *x = a, *y = b;
	uint64_t time_x = x->timed ? x->device_ns : x->host_ns;
	uint64_t time_y = y->timed ? y->device_ns : y->host_ns;

	if (!x->timed != !y->timed)
		return x->timed ? -1 : 1;
	return time_x != time_y ? (time_x < time_y) - (time_x > time_y) : by_name(a, b);
}

bool kernel_rows_partly(const struct kernel_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].timed && rows[i].timed < rows[i].count)
			return true;
	return false;
}

/* ---- one row ---- */

void kernel_row_take(struct kernel_row *row, const struct trace_event *ev)
{
	row->count++;
	row->host_ns += ev->duration_ns;
}

void kernel_row_time(struct kernel_row *row, const struct trace_device *dev)
{
	row->timed++;
	row->device_ns += dev->duration_ns;
}

void kernel_row_columns(struct out *o, const struct kernel_row *row, bool partly)
{
	char host[COLUMN], device[COLUMN], timed[COLUMN];

	out_format(o, "%10" PRIu64 " %s%13s %13s  ", row->count, column_timed(partly, row->timed, timed),
		   row->timed ? column_duration(row->device_ns, device) : "-", column_duration(row->host_ns, host));
}

void kernel_row_members(struct out *o, const struct kernel_row *row)
{
	out_json_number(o, "count", row->count);
	out_json_number(o, "host_ns", row->host_ns);
	out_json_number(o, "device_ns", row->device_ns);
	out_json_number(o, "timed", row->timed);
}

/* ---- one process ---- */

void kernel_rows_begin(struct kernel_rows *k, const struct process *p)
{
	*k = (struct kernel_rows){
		.rows = TABLE(struct kernel_row),
		.launches = TABLE(uint64_t),
		.launched = &p->defs.launches,
		.places = alloc_zero(p->defs.launches.count + 1, sizeof(*k->places)),
		.steps_told = *process_fact(p, "step_source"),
	};
}

/* A launch without a name goes by the function that was called: its rows' keys count down from the greatest. */
static struct kernel_row *find_row(struct kernel_rows *k, const struct launch *launch, enum event_kind kind, uint16_t hook, const char *name)
{
	uint64_t id = launch && launch->name ? launch->def.name : 0;
	struct kernel_row *row = table_put(&k->rows, id ? id * (EV_KINDS + 1) + kind : UINT64_MAX - hook);

	if (!row->name) {
		name = id ? launch->name : name;
		row->name = alloc_text(name, strlen(name));
		row->kind = kind;
	}
	return row;
}

/* Each call of a launch with a name is of one row, but for its kind. */
static inline struct kernel_row *row_of(struct kernel_rows *k, const struct launch *launch, enum event_kind kind, uint16_t hook, const char *name)
{
	size_t number = launch ? (size_t)(launch - (const struct launch *)k->launched->items) : 0;
	struct kernel_row *row;

	if (!launch || !launch->name)
		return find_row(k, launch, kind, hook, name);
	row = k->places[number] ? table_item(&k->rows, k->places[number] - 1) : NULL;
	if (row && row->kind == kind)
		return row;
	row = find_row(k, launch, kind, hook, name);
	k->places[number] = (uint32_t)(row - (struct kernel_row *)k->rows.items) + 1;
	return row;
}

static void count_launch(struct kernel_rows *k, struct kernel_row *row, const struct trace_event *ev)
{
	uint64_t number;

	if (!k->launches_now || k->thread_now != ev->tid) {
		k->launches_now = table_put(&k->launches, ev->tid);
		k->thread_now = ev->tid;
	}
	number = (*k->launches_now)++;
	if (ev->launch && ev->launch->name)
		period_take(&row->period, ev->tid, number);
}

void kernel_rows_take(struct kernel_rows *k, const struct trace_event *ev)
{
	struct kernel_row *row = row_of(k, ev->launch, ev->kind, ev->hook, ev->name);

	kernel_row_take(row, ev);
	if (!row->timed)
		durations_add(&row->times, ev->duration_ns);
	if (ev->kind == EV_LAUNCH && !k->steps_told)
		count_launch(k, row, ev);
}

void kernel_rows_time(struct kernel_rows *k, const struct trace_device *dev)
{
	struct kernel_row *row = row_of(k, dev->launch, dev->kind, dev->hook, dev->name);

	if (!row->timed)
		durations_free(&row->times);
	kernel_row_time(row, dev);
	durations_add(&row->times, dev->duration_ns);
}

static void finish_periods(struct kernel_rows *k)
{
	for (size_t i = 0; i < k->rows.count; i++) {
		struct period *period = &((struct kernel_row *)table_item(&k->rows, i))->period;
		const uint64_t *launches = table_find(&k->launches, period->thread);

		if (period->times && launches)
			period->behind = *launches - period->last - 1;
	}
	table_free(&k->launches);
	free(k->places);
}

struct kernel_row *kernel_rows_hand_over(struct kernel_rows *k, size_t *count)
{
	struct kernel_row *rows;

	finish_periods(k);
	rows = table_hand_over(&k->rows, count, kernel_rows_order);
	for (size_t i = WITH_TIMES; i < *count; i++)
		durations_free(&rows[i].times);
	return rows;
}

static void parcel_period(struct parcel *p, struct period *period)
{
	PARCEL(p, period->times);
	if (!period->times)
		return;
	PARCEL(p, period->first);
	PARCEL(p, period->last);
	PARCEL(p, period->gap);
	PARCEL(p, period->equal);
	PARCEL(p, period->mean);
	PARCEL(p, period->squares);
	PARCEL(p, period->behind);
	PARCEL(p, period->thread);
	PARCEL(p, period->scattered);
}

void kernel_list_parcel(struct parcel *p, struct kernel_list *list)
{
	for (size_t i = 0; parcel_has(p, i, &list->rows, &list->count, sizeof(*list->rows)); i++) {
		struct kernel_row *row = &list->rows[i];

		parcel_text(p, &row->name);
		PARCEL_ENUM(p, row->kind, EV_KINDS + 1);
		PARCEL(p, row->count);
		PARCEL(p, row->host_ns);
		PARCEL(p, row->device_ns);
		PARCEL(p, row->timed);
		durations_parcel(p, &row->times);
		parcel_period(p, &row->period);
	}
}

/* ---- several ---- */

/* All rows of all processes. */
static const struct kernel_row **gather(struct kernel_list (*list_of)(const struct report *r), const struct report *reports, size_t count,
					size_t *gathered)
{
	const struct kernel_row **rows;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += list_of(&reports[i]).count;
	rows = alloc_zero(n, sizeof(*rows));
	*gathered = n;
	n = 0;
	for (size_t i = 0; i < count; i++) {
		struct kernel_list list = list_of(&reports[i]);

		for (size_t k = 0; k < list.count; k++)
			rows[n++] = &list.rows[k];
	}
	return rows;
}

static int by_name_of(const void *a, const void *b)
{
	return by_name(*(const struct kernel_row *const *)a, *(const struct kernel_row *const *)b);
}

/* Of rows in the order of names. */
static size_t count_names(const struct kernel_row **rows, size_t count)
{
	size_t names = 0;

	for (size_t i = 0; i < count; i++)
		names += !i || by_name(rows[i - 1], rows[i]);
	return names;
}

/* The list's times become a copy of our own. */
static void own_times(struct kernel_row *row)
{
	const struct durations lists = row->times;

	row->times = (struct durations){ 0 };
	durations_join(&row->times, &lists);
}

static void add_row(struct kernel_row *row, const struct kernel_row *other)
{
	if (other->timed && !row->timed)
		durations_free(&row->times);
	if (other->timed || !row->timed)
		durations_join(&row->times, &other->times);
	row->count += other->count;
	row->host_ns += other->host_ns;
	row->device_ns += other->device_ns;
	row->timed += other->timed;
}

struct kernel_row *kernel_rows_join(struct kernel_list (*list_of)(const struct report *r), const struct report *reports, size_t count,
				    size_t *joined)
{
	size_t n, kept = 0;
	const struct kernel_row **all = gather(list_of, reports, count, &n);
	struct kernel_row *rows;

	if (n)
		qsort(all, n, sizeof(*all), by_name_of);
	rows = alloc_zero(count_names(all, n), sizeof(*rows));
	for (size_t i = 0; i < n; i++) {
		if (!kept || by_name(&rows[kept - 1], all[i])) {
			rows[kept++] = *all[i];
			own_times(&rows[kept - 1]);
		} else {
			add_row(&rows[kept - 1], all[i]);
		}
	}
	free(all);
	*joined = kept;
	if (kept)
		qsort(rows, kept, sizeof(*rows), kernel_rows_order);
	return rows;
}

void kernel_rows_drop(struct kernel_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		durations_free(&rows[i].times);
	free(rows);
}
