/* kernels.c - section: the kernels and operators that took longest. */
#include <stdlib.h>

#include "analysis/report/columns.h"
#include "analysis/report/kernel_rows.h"
#include "analysis/report/section.h"
#include "analysis/trace/words.h"

#define SHOWN 100 /* of a process, in JSON */

static struct kernel_list list_of(const struct report *r)
{
	return (struct kernel_list){ r->kernel_count, r->kernels };
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	size_t n;
	struct kernel_row *rows = kernel_rows_join(list_of, reports, count, &n);
	bool partly = kernel_rows_partly(rows, n < top ? n : top);

	if (n)
		out_format(o, "\nTop kernels (%zu of %zu)\n" COLUMNS_OF_KERNELS "%-9s %s\n",
			   n < top ? n : top, n, "LAUNCHES", partly ? COLUMN_TIMED : "", "DEVICE", "HOST", "KIND", "NAME");
	for (size_t i = 0; i < n && i < top; i++) {
		kernel_row_columns(o, &rows[i], partly);
		out_format(o, "%-9s ", kind_words[rows[i].kind]);
		column_name(o, rows[i].name);
		out_char(o, '\n');
	}
	free(rows);
}

static void json(struct out *o, const struct report *r)
{
	out_json_key(o, "kernels");
	out_char(o, '[');
	for (size_t i = 0; i < r->kernel_count && i < SHOWN; i++) {
		const struct kernel_row *k = &r->kernels[i];

		out_json_comma(o, i);
		out_text(o, "{\"name\":");
		out_json(o, k->name);
		out_json_text(o, "kind", kind_words[k->kind]);
		kernel_row_members(o, k);
		out_char(o, '}');
	}
	out_char(o, ']');
	out_json_number(o, "kernel_names", r->kernel_count);
}

const struct section kernels_section = { .text = text, .json = json };
