/* kernels.c - section: the kernels and operators that took longest. */
#include <stdio.h>

#include "analysis/report/columns.h"
#include "analysis/report/kernel_rows.h"
#include "analysis/report/section.h"
#include "analysis/trace/words.h"

#define SHOWN 100 /* of a process, in JSON */

static struct kernel_list list_of(const struct report *r)
{
	return (struct kernel_list){ r->kernel_count, r->kernels };
}

/* What the rows of each kind come to. An operator's time is that of what it gave the device: they are counted apart. */
struct sums {
	uint64_t host[EV_KINDS + 1], device[EV_KINDS + 1];
};

static struct sums sums_of(const struct kernel_row *rows, size_t count)
{
	struct sums s = { 0 };

	for (size_t i = 0; i < count; i++) {
		s.host[rows[i].kind] += rows[i].host_ns;
		s.device[rows[i].kind] += rows[i].device_ns;
	}
	return s;
}

/* Of all time on the device, or inside the calls where none of its kind has such a time. False: it has none, but others have. */
static bool share_of(const struct kernel_row *row, const struct sums *all, double *share)
{
	bool by_device = all->device[row->kind];
	uint64_t part = by_device ? row->device_ns : row->host_ns, whole = by_device ? all->device[row->kind] : all->host[row->kind];

	*share = whole ? (double)part / (double)whole : 0;
	return whole && (!by_device || row->timed);
}

static void put_times(struct out *o, const struct kernel_row *row, const struct sums *all)
{
	char c[3][COLUMN] = { "-", "-", "-" };
	double share;

	if (kernel_row_has_times(row)) {
		column_duration(durations_median(&row->times), c[0]);
		column_duration(durations_p99(&row->times), c[1]);
	}
	if (share_of(row, all, &share))
		snprintf(c[2], COLUMN, "%.1f %%", 100 * share);
	out_format(o, "%13s %13s %7s  ", c[0], c[1], c[2]);
}

static size_t count_of(const struct kernel_row *rows, size_t count, enum event_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += rows[i].kind == kind;
	return n;
}

struct shown_rows {
	const struct kernel_row *rows;
	size_t count, top;
	struct sums all;
	bool partly;
};

static void put_table(struct out *o, const struct shown_rows *of, enum event_kind kind, const char *title)
{
	size_t n = count_of(of->rows, of->count, kind), shown = 0;

	if (n)
		out_format(o, "\n%s (%zu of %zu)\n" COLUMNS_OF_KERNELS "%13s %13s %7s  %-9s %s\n", title, n < of->top ? n : of->top, n, "LAUNCHES",
			   of->partly ? COLUMN_TIMED : "", "DEVICE", "HOST", "MEDIAN", "P99", "SHARE", "KIND", "NAME");
	for (size_t i = 0; i < of->count && shown < of->top; i++) {
		if (of->rows[i].kind != kind)
			continue;
		kernel_row_columns(o, &of->rows[i], of->partly);
		put_times(o, &of->rows[i], &of->all);
		out_format(o, "%-9s ", kind_words[kind]);
		column_name(o, of->rows[i].name);
		out_char(o, '\n');
		shown++;
	}
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	struct shown_rows of = { .top = top };
	struct kernel_row *rows = kernel_rows_join(list_of, reports, count, &of.count);

	of.rows = rows;
	of.all = sums_of(rows, of.count);
	of.partly = kernel_rows_partly(rows, of.count);
	put_table(o, &of, EV_OPERATOR, "Top operators");
	put_table(o, &of, EV_LAUNCH, "Top kernels");
	kernel_rows_drop(rows, of.count);
}

static void put_members(struct out *o, const struct kernel_row *row, const struct sums *all)
{
	double share;

	kernel_row_members(o, row);
	if (kernel_row_has_times(row)) {
		out_json_number(o, "median_ns", durations_median(&row->times));
		out_json_number(o, "p99_ns", durations_p99(&row->times));
	}
	if (share_of(row, all, &share))
		out_format(o, ",\"share\":%.6f", share);
}

static void json(struct out *o, const struct report *r)
{
	struct sums all = sums_of(r->kernels, r->kernel_count);

	out_json_key(o, "kernels");
	out_char(o, '[');
	for (size_t i = 0; i < r->kernel_count && i < report_rows(r, SHOWN); i++) {
		const struct kernel_row *k = &r->kernels[i];

		out_json_comma(o, i);
		out_text(o, "{\"name\":");
		out_json(o, k->name);
		out_json_text(o, "kind", kind_words[k->kind]);
		put_members(o, k, &all);
		out_char(o, '}');
	}
	out_char(o, ']');
	out_json_number(o, "kernel_names", r->kernel_count);
}

const struct section kernels_section = { .of_calls = true, .text = text, .json = json };
