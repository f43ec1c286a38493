/* shapes.c - operators by name and shapes, if shapes were recorded. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/kernel_rows.h"
#include "analysis/util/alloc.h"
#include "analysis/report/report.h"
#include "analysis/trace/shapes.h"

#define SHOWN 1000 /* of a process, in JSON */

static char *name_of(const struct launch *launch)
{
	char text[SHAPES_TENSORS * 256 + 256];
	size_t n = (size_t)snprintf(text, 256, "%.200s ", launch->name);

	shapes_line(text + n, sizeof(text) - n, launch->shapes);
	return alloc_text(text, strlen(text));
}

void shaped_add(struct table *rows, const struct launch *launch, enum event_kind kind, struct kernel_row more)
{
	struct kernel_row *row;

	if (kind != EV_OPERATOR || !launch || !launch->shapes || !launch->name)
		return;
	row = table_put(rows, (uintptr_t)launch);
	if (!row->name)
		row->name = name_of(launch);
	row->kind = kind;
	row->count += more.count;
	row->host_ns += more.host_ns;
	row->device_ns += more.device_ns;
	row->timed += more.timed;
}

void shaped_text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	char host[COLUMN], device[COLUMN];
	size_t n;
	struct kernel_row *rows = kernel_rows_join(reports, count, true, &n);

	if (n)
		out_format(o, "\nOperators by shapes (%zu of %zu)\n%10s %13s %13s  %s\n", n < top ? n : top, n, "CALLS", "DEVICE", "HOST",
			   "NAME, TENSORS");
	for (size_t i = 0; i < n && i < top; i++) {
		out_format(o, "%10" PRIu64 " %13s %13s  ", rows[i].count, rows[i].timed ? column_duration(rows[i].device_ns, device) : "-",
			   column_duration(rows[i].host_ns, host));
		out_clean(o, rows[i].name);
		out_char(o, '\n');
	}
	free(rows);
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

void shaped_json(struct out *o, const struct report *r)
{
	out_text(o, ",\"operators\":[");
	for (size_t i = 0; i < r->shaped_count && i < SHOWN; i++) {
		const struct kernel_row *k = &r->shaped[i];

		if (i)
			out_char(o, ',');
		name_and_shapes(o, k->name);
		out_json_number(o, "count", k->count);
		out_json_number(o, "host_ns", k->host_ns);
		out_json_number(o, "device_ns", k->device_ns);
		out_json_number(o, "timed", k->timed);
		out_char(o, '}');
	}
	out_char(o, ']');
}
