/* operator_shapes.c - section: operators by name and shapes, if shapes were recorded. */
#include "analysis/report/operator_shapes.h"

#include <inttypes.h>
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

/* NULL: it is no operator with shapes. */
static struct kernel_row *row_of(struct operator_shapes *s, const struct launch *launch, enum event_kind kind)
{
	struct kernel_row *row;

	if (kind != EV_OPERATOR || !launch || !launch->shapes || !launch->name)
		return NULL;
	row = table_put(&s->rows, (uintptr_t)launch);
	if (!row->name)
		row->name = name_of(launch);
	row->kind = kind;
	return row;
}

void operator_shapes_take(struct operator_shapes *s, const struct trace_event *ev)
{
	struct kernel_row *row = row_of(s, ev->launch, ev->kind);

	if (!row)
		return;
	row->count++;
	row->host_ns += ev->duration_ns;
}

void operator_shapes_time(struct operator_shapes *s, const struct trace_device *dev)
{
	struct kernel_row *row = row_of(s, dev->launch, dev->kind);

	if (!row)
		return;
	row->timed++;
	row->device_ns += dev->duration_ns;
}

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	(void)p;
	(void)asked;
	((struct operator_shapes *)kept)->rows = TABLE(struct kernel_row);
}

static void end(void *kept)
{
	struct operator_shapes *s = kept;

	s->list.rows = table_hand_over(&s->rows, &s->list.count, kernel_rows_order);
}

static void let_go(void *kept)
{
	struct kernel_list *list = &((struct operator_shapes *)kept)->list;

	for (size_t i = 0; i < list->count; i++)
		free(list->rows[i].name);
	free(list->rows);
}

static struct kernel_list list_of(const struct report *r)
{
	return ((const struct operator_shapes *)r->sections[SECTION_operator_shapes])->list;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	char host[COLUMN], device[COLUMN], timed[COLUMN];
	size_t n;
	struct kernel_row *rows = kernel_rows_join(list_of, reports, count, &n);
	bool partly = kernel_rows_partly(rows, n < top ? n : top);

	if (n)
		out_format(o, "\nOperators by shapes (%zu of %zu)\n%10s %s%13s %13s  %s\n", n < top ? n : top, n, "CALLS",
			   partly ? COLUMN_TIMED : "", "DEVICE", "HOST", "NAME, TENSORS");
	for (size_t i = 0; i < n && i < top; i++) {
		out_format(o, "%10" PRIu64 " %s%13s %13s  ", rows[i].count, column_timed(partly, rows[i].timed, timed),
			   rows[i].timed ? column_duration(rows[i].device_ns, device) : "-", column_duration(rows[i].host_ns, host));
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

static void json(struct out *o, const struct report *r)
{
	struct kernel_list list = list_of(r);

	out_text(o, ",\"operators\":[");
	for (size_t i = 0; i < list.count && i < SHOWN; i++) {
		const struct kernel_row *k = &list.rows[i];

		out_json_comma(o, i);
		name_and_shapes(o, k->name);
		out_json_number(o, "count", k->count);
		out_json_number(o, "host_ns", k->host_ns);
		out_json_number(o, "device_ns", k->device_ns);
		out_json_number(o, "timed", k->timed);
		out_char(o, '}');
	}
	out_char(o, ']');
	if (list.count > SHOWN)
		out_json_number(o, "operators_left_out", list.count - SHOWN);
}

const struct section operator_shapes_section = {
	.kept = sizeof(struct operator_shapes),
	.begin = begin,
	.end = end,
	.free = let_go,
	.text = text,
	.json = json,
};
