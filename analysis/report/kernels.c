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

/* What the rows of each kind come to. An operator's time holds that of its launches: they are counted apart. */
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

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	size_t n;
	struct kernel_row *rows = kernel_rows_join(list_of, reports, count, &n);
	struct sums all = sums_of(rows, n);
	bool partly = kernel_rows_partly(rows, n < top ? n : top);

	if (n)
		out_format(o, "\nTop kernels (%zu of %zu)\n" COLUMNS_OF_KERNELS "%13s %13s %7s  %-9s %s\n",
			   n < top ? n : top, n, "LAUNCHES", partly ? COLUMN_TIMED : "", "DEVICE", "HOST", "MEDIAN", "P99", "SHARE", "KIND", "NAME");
	for (size_t i = 0; i < n && i < top; i++) {
		kernel_row_columns(o, &rows[i], partly);
		put_times(o, &rows[i], &all);
		out_format(o, "%-9s ", kind_words[rows[i].kind]);
		column_name(o, rows[i].name);
		out_char(o, '\n');
	}
	kernel_rows_drop(rows, n);
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
