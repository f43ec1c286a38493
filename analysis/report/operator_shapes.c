/* operator_shapes.c - section: operators by name and shapes, if shapes were recorded. */
#include "analysis/report/operator_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/trace/shapes.h"
#include "analysis/util/alloc.h"

#define SHOWN 1000 /* of a process, in JSON */

static char *name_of(const struct launch *launch)
{
	char text[256 + SHAPES_LINE];
	size_t n = (size_t)snprintf(text, 256, "%.200s ", launch->name);

	shapes_line(text + n, SHAPES_LINE, launch->shapes);
	return alloc_text(text, strlen(text));
}

static bool has_shapes(const struct launch *launch, enum event_kind kind)
{
	return kind == EV_OPERATOR && launch && launch->shapes && launch->name;
}

void operator_shapes_take(struct launch_rows *s, const struct trace_event *ev)
{
	if (has_shapes(ev->launch, ev->kind))
		kernel_row_take(launch_rows_of(s, ev->launch, ev->kind, name_of), ev);
}

void operator_shapes_time(struct launch_rows *s, const struct trace_device *dev)
{
	if (has_shapes(dev->launch, dev->kind))
		kernel_row_time(launch_rows_of(s, dev->launch, dev->kind, name_of), dev);
}

static struct kernel_list list_of(const struct report *r)
{
	return ((const struct launch_rows *)r->sections[SECTION_operator_shapes])->list;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	size_t n;
	struct kernel_row *rows = kernel_rows_join(list_of, reports, count, &n);
	bool partly = kernel_rows_partly(rows, n < top ? n : top);

	if (n)
		out_format(o, "\nOperators by shapes (%zu of %zu)\n" COLUMNS_OF_KERNELS "%s\n", n < top ? n : top, n, "CALLS",
			   partly ? COLUMN_TIMED : "", "DEVICE", "HOST", "NAME, TENSORS");
	for (size_t i = 0; i < n && i < top; i++) {
		kernel_row_columns(o, &rows[i], partly);
		out_utf8(o, rows[i].name);
		out_char(o, '\n');
	}
	kernel_rows_drop(rows, n);
}

/* A row's name has the shapes behind a blank. */
static void name_and_shapes(struct out *o, const char *both)
{
	const char *blank = strrchr(both, ' ');
	size_t n = blank ? (size_t)(blank - both) : strlen(both);
	char *name = strndup(both, n);

	out_text(o, "{\"name\":");
	out_json(o, name ? name : "");
	out_json_key(o, "shapes");
	out_json(o, blank ? blank + 1 : "");
	free(name);
}

static void json(struct out *o, const struct report *r)
{
	struct kernel_list list = list_of(r);
	size_t most = report_rows(r, SHOWN);

	out_text(o, ",\"operators\":[");
	for (size_t i = 0; i < list.count && i < most; i++) {
		const struct kernel_row *k = &list.rows[i];

		out_json_comma(o, i);
		name_and_shapes(o, k->name);
		kernel_row_members(o, k);
		out_char(o, '}');
	}
	out_char(o, ']');
	if (list.count > most)
		out_json_number(o, "operators_left_out", list.count - most);
}

const struct section operator_shapes_section = {
	.kept = sizeof(struct launch_rows),
	.begin = launch_rows_begin,
	.end = launch_rows_end,
	.free = launch_rows_free,
	.of_calls = true,
	.text = text,
	.json = json,
	.csv = "operators",
};
