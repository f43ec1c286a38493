/* failures.c - section: calls that failed. */
#include "analysis/report/failures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/trace/results.h"
#include "analysis/util/alloc.h"

#define SHOWN 1000 /* of a process, in JSON */

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	(void)p;
	(void)asked;
	failures_init(&((struct failed_calls *)kept)->taken);
}

/* Names are the process's until then. */
static void end(void *kept)
{
	struct failed_calls *f = kept;

	f->list = failures_hand_over(&f->taken, &f->count);
	for (size_t i = 0; i < f->count; i++)
		f->list[i].name = alloc_text(f->list[i].name, strlen(f->list[i].name));
}

static void let_go(void *kept)
{
	struct failed_calls *f = kept;

	for (size_t i = 0; i < f->count; i++)
		free((char *)f->list[i].name);
	free(f->list);
}

static void parcel(struct parcel *p, void *kept)
{
	struct failed_calls *f = kept;

	PARCEL(p, f->taken.total);
	PARCEL(p, f->taken.left_out);
	for (size_t i = 0; parcel_has(p, i, &f->list, &f->count, sizeof(*f->list)); i++) {
		parcel_text(p, (char **)(uintptr_t)&f->list[i].name);
		PARCEL(p, f->list[i].result);
		PARCEL(p, f->list[i].count);
		PARCEL(p, f->list[i].first);
		PARCEL(p, f->list[i].step);
	}
}

static const struct failed_calls *of(const struct report *r)
{
	return r->sections[SECTION_failures];
}

/* ---- as a table ---- */

struct row {
	const struct report *of;
	const struct failure *failure;
};

static int by_count(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->failure->count != y->failure->count)
		return x->failure->count < y->failure->count ? 1 : -1;
	/* As they came: by rank, and there in the order of the process. */
	return x->of != y->of ? (x->of > y->of) - (x->of < y->of) : (x->failure > y->failure) - (x->failure < y->failure);
}

/* All rows of all processes, the most frequent first; the caller frees the list. */
static struct row *gather(const struct report *reports, size_t count, size_t *gathered)
{
	struct row *rows;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += of(&reports[i])->count;
	rows = alloc_zero(n, sizeof(*rows));
	*gathered = n;
	n = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < of(&reports[i])->count; k++)
			rows[n++] = (struct row){ &reports[i], &of(&reports[i])->list[k] };
	if (n)
		qsort(rows, n, sizeof(*rows), by_count);
	return rows;
}

static void put_head(struct out *o, const struct report *r, size_t n, size_t top)
{
	out_format(o, "\nFailed calls (%zu of %zu)\n%10s %5s ", n < top ? n : top, n, "COUNT", "RANK");
	column_process_head(o, r);
	out_format(o, "%10s %10s  %-32s %s\n", "FIRST STEP", "RESULT", "ENTRY POINT", "MEANING");
}

static void put_row(struct out *o, const struct row *row)
{
	const struct failure *f = row->failure;
	const char *meaning = result_name(f->name, f->result);
	char rank[COLUMN], step[COLUMN] = "-", name[96];

	if (f->step != STEP_NULL)
		snprintf(step, COLUMN, "%" PRId64, f->step);
	snprintf(name, sizeof(name), "%-32.90s ", f->name);
	out_format(o, "%10" PRIu64 " %5s ", f->count, column_rank(row->of, rank));
	column_process(o, row->of);
	out_format(o, "%10s %10" PRId64 "  ", step, f->result);
	out_utf8(o, name);
	out_format(o, "%s\n", meaning ? meaning : "-");
}

/* Calls whose entry point and result are in no row. */
static uint64_t left_out(const struct report *reports, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += of(&reports[i])->taken.left_out;
	return sum;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	uint64_t more = left_out(reports, count);
	size_t n;
	struct row *rows = gather(reports, count, &n);

	if (n)
		put_head(o, rows->of, n, top);
	for (size_t i = 0; i < n && i < top; i++)
		put_row(o, &rows[i]);
	if (more)
		out_format(o, "%10" PRIu64 " more calls failed in other ways than these %zu\n", more, n);
	free(rows);
}

/* ---- as JSON ---- */

static void json_row(struct out *o, const struct failure *f)
{
	const char *meaning = result_name(f->name, f->result);

	out_text(o, "{\"name\":");
	out_json(o, f->name);
	out_json_key(o, "result");
	out_i64(o, f->result);
	out_json_text(o, "meaning", meaning);
	out_json_number(o, "count", f->count);
	out_json_key(o, "first_step");
	if (f->step == STEP_NULL)
		out_text(o, "null");
	else
		out_i64(o, f->step);
	out_json_number(o, "first_ns", f->first);
	out_char(o, '}');
}

static void json(struct out *o, const struct report *r)
{
	const struct failed_calls *f = of(r);

	out_json_number(o, "failed", f->taken.total);
	out_text(o, ",\"failures\":[");
	for (size_t i = 0; i < f->count && i < report_rows(r, SHOWN); i++) {
		out_json_comma(o, i);
		json_row(o, &f->list[i]);
	}
	out_char(o, ']');
}

const struct section failures_section = {
	.kept = sizeof(struct failed_calls),
	.begin = begin,
	.end = end,
	.free = let_go,
	.parcel = parcel,
	.of_calls = true,
	.text = text,
	.json = json,
};
