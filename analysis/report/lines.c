/* lines.c - section: calls and their time by the line of the job's own code that asked for them. */
#include "analysis/report/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/trace/call_stack.h"
#include "analysis/trace/device_join.h"
#include "analysis/util/alloc.h"

#define SHOWN 1000 /* of a process, in JSON */

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	struct lines *l = kept;

	launch_rows_begin(&l->rows, p, asked);
	l->stacks = TABLE(uint64_t);
	l->own = OWN_TIMES;
	l->timed = device_join_may(p);
}

/* Lines alike are one row, whichever code they are of. 0: nobody knows the line. */
static uint64_t key_of(struct lines *l, const struct stack *stack)
{
	const struct frame *f = call_stack_user(stack);
	struct kernel_row *row;
	uint64_t key;
	char *name;

	if (!f)
		return 0;
	name = call_line_name(f);
	key = table_text_key(name, strlen(name)) | 1;
	row = table_put(&l->rows.rows, key);
	if (row->name)
		free(name);
	else
		row->name = name;
	return key;
}

static struct kernel_row *row_of(struct lines *l, const struct stack *stack)
{
	uint64_t *key = table_find(&l->stacks, (uintptr_t)stack);

	if (!key) {
		uint64_t made = key_of(l, stack);

		key = table_add(&l->stacks, (uintptr_t)stack);
		*key = made;
	}
	return *key ? table_find(&l->rows.rows, *key) : NULL;
}

void lines_take(struct lines *l, const struct trace_event *ev)
{
	uint64_t own = ev->nested ? 0 : own_times_take(&l->own, ev);
	struct kernel_row *row = ev->nested || !ev->stack ? NULL : row_of(l, ev->stack);
	struct pending_time call = { .event = DEVICE_REF(ev->ring, ev->hook, ev->slot) };

	if (!row)
		return;
	row->count++;
	row->host_ns += own;
	if (!l->timed)
		return;
	call.begin_ns = *(uint64_t *)table_find(&l->stacks, (uintptr_t)ev->stack);
	l->forgotten += pending_forget_many(&l->calls);
	pending_put_time(&l->calls, &call);
}

void lines_time(struct lines *l, const struct trace_device *dev)
{
	struct pending_time call;

	if (pending_take(&l->calls, DEVICE_REF(dev->ring, dev->hook, dev->slot), &call))
		kernel_row_time(table_find(&l->rows.rows, call.begin_ns), dev);
}

static void end(void *kept)
{
	struct lines *l = kept;

	own_times_free(&l->own);
	table_free(&l->stacks);
	pending_free(&l->calls);
	launch_rows_end(&l->rows);
}

static void parcel(struct parcel *p, void *kept)
{
	struct lines *l = kept;

	launch_rows_parcel(p, &l->rows);
	PARCEL(p, l->forgotten);
}

/* ---- showing them ---- */

static const struct lines *of(const struct report *r)
{
	return r->sections[SECTION_lines];
}

static struct kernel_list list_of(const struct report *r)
{
	return of(r)->rows.list;
}

/* As it is to be shown; whoever wrote a parcel may have called it anything. */
static const char *shown(const char *name)
{
	const char *blank = strrchr(name, ' '), *end = blank ? blank : name + strlen(name);

	return stacks_path(name, (size_t)(end - name));
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	size_t n;
	struct kernel_row *rows = kernel_rows_join(list_of, reports, count, &n);
	bool partly = kernel_rows_partly(rows, n < top ? n : top);

	if (n)
		out_format(o, "\nBy line (%zu of %zu)\n" COLUMNS_OF_KERNELS "%s\n", n < top ? n : top, n, "CALLS", partly ? COLUMN_TIMED : "", "DEVICE",
			   "HOST", "LINE, FUNCTION");
	for (size_t i = 0; i < n && i < top; i++) {
		kernel_row_columns(o, &rows[i], partly);
		out_utf8(o, shown(rows[i].name));
		out_char(o, '\n');
	}
	kernel_rows_drop(rows, n);
}

/* What a row's name was made of. */
static void json_name(struct out *o, const char *name)
{
	const char *blank = strrchr(name, ' ');
	size_t n = blank ? (size_t)(blank - name) : strlen(name);
	char *file = alloc_text(name, n), *colon = strrchr(file, ':');

	out_text(o, "{\"function\":");
	out_json(o, blank ? blank + 1 : "");
	if (colon)
		*colon = '\0';
	out_json_text(o, "file", file);
	if (colon && strcmp(colon + 1, "0"))
		out_json_number(o, "line", strtoull(colon + 1, NULL, 10));
	else
		out_json_text(o, "line", NULL);
	free(file);
}

static void json(struct out *o, const struct report *r)
{
	struct kernel_list list = list_of(r);
	size_t most = report_rows(r, SHOWN);

	out_json_key(o, "lines");
	out_char(o, '[');
	for (size_t i = 0; i < list.count && i < most; i++) {
		out_json_comma(o, i);
		json_name(o, shown(list.rows[i].name));
		kernel_row_members(o, &list.rows[i]);
		out_char(o, '}');
	}
	out_char(o, ']');
	if (list.count > most)
		out_json_number(o, "lines_left_out", list.count - most);
	if (of(r)->forgotten)
		out_json_number(o, "lines_forgotten", of(r)->forgotten);
}

const struct section lines_section = {
	.kept = sizeof(struct lines),
	.begin = begin,
	.end = end,
	.free = launch_rows_free,
	.parcel = parcel,
	.of_calls = true,
	.text = text,
	.json = json,
};
