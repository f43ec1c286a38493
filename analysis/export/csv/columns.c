#include "analysis/export/csv/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/call_stack.h"
#include "analysis/trace/event_fields.h"
#include "analysis/trace/shapes.h"
#include "analysis/trace/words.h"

#define K(kind)		  (1u << EV_##kind)
#define EVERY		  UINT32_MAX
#define POOLS		  (K(POOL_ALLOC) | K(POOL_FREE))
#define GIVEN_TO_STREAMS  (K(LAUNCH) | K(COPY) | K(FILL) | K(MAP) | K(OPERATOR) | K(SYNC) | K(STREAM) | K(EVENT) | K(GRAPH) | K(COLLECTIVE) | K(MARKER))
#define MADE_BY_OPERATORS (K(LAUNCH) | K(COPY) | K(FILL) | K(COLLECTIVE) | K(ALLOC) | K(FREE) | POOLS)
#define WITH_BYTES	  (EVERY & ~K(MARKER))
#define WITH_ADDRESS	  (EVERY & ~(K(LAUNCH) | K(OPERATOR) | K(PREPARE) | K(COLLECTIVE) | K(COMMUNICATOR) | K(MARKER)))

struct writer {
	const struct csv_row *row;
	struct field fields[EVENT_FIELDS_MAX]; /* of the event */
	size_t count;
};

/* ---- values ---- */

static void put_known(struct out *o, int64_t n, int64_t unknown)
{
	if (n != unknown)
		out_i64(o, n);
}

static void put_rank(struct out *o, const struct trace_event *ev)
{
	int64_t rank;

	if (trace_rank_of(ev, &rank))
		out_i64(o, rank);
}

static void put_address(struct out *o, uint64_t address)
{
	if (address)
		out_hex(o, address);
}

static void put_bytes(struct out *o, const struct trace_event *ev)
{
	if (event_has_bytes(ev))
		out_u64(o, ev->bytes);
}

/* 64x8 */
static void put_sizes(struct out *o, const struct launch *launch, bool local)
{
	const uint64_t *size = !launch ? NULL : local ? launch->def.local
						      : launch->def.global;

	for (uint32_t i = 0; launch && (!local || launch->def.has_local) && i < launch->def.dimensions; i++) {
		if (i)
			out_char(o, 'x');
		out_u64(o, size[i]);
	}
}

static void put_shared_memory(struct out *o, const struct launch *launch)
{
	if (launch && launch->has_shared)
		out_u64(o, launch->shared);
}

static void put_nodes(struct out *o, const struct launch *launch)
{
	if (launch && launch->graph)
		out_u64(o, launch->graph->def.nodes);
}

static void put_kernels(struct out *o, const struct launch *launch)
{
	if (launch && launch->graph)
		out_csv(o, launch->graph->line);
}

static void put_shapes(struct out *o, const struct launch *launch)
{
	if (!launch || !launch->shapes)
		return;
	out_char(o, '"');
	shapes_text(o, launch->shapes);
	out_char(o, '"');
}

static void put_stack(struct out *o, const struct trace_event *ev)
{
	char *line = call_stack_line(ev, ";");

	out_csv(o, line);
	free(line);
}

static void put_stack_of(struct out *o, const struct trace_event *ev)
{
	if (ev->has_stack && ev->stack_of != STACK_CALLER)
		out_text(o, stack_of_words[ev->stack_of]);
}

static void put_field(struct out *o, const struct writer *w, const char *key)
{
	for (size_t i = 0; i < w->count; i++) {
		if (strcmp(w->fields[i].key, key))
			continue;
		if (w->fields[i].text)
			out_csv(o, w->fields[i].text);
		else
			out_i64(o, w->fields[i].number);
	}
}

/* ---- columns ---- */

#define FIELD(key, kinds) COLUMN(key, kinds, put_field(o, w, #key))
#define COLUMN(key, kinds, write)                                             \
	static void put_##key##_column(struct out *o, const struct writer *w) \
	{                                                                     \
		const struct csv_row *r = w->row;                             \
		const struct trace_event *ev = r->event;                      \
		(void)ev;                                                     \
		write;                                                        \
	}
#include "analysis/export/csv/columns.def"
#undef COLUMN

static const struct {
	const char *key;
	uint32_t kinds;
	void (*put)(struct out *o, const struct writer *w);
} columns[] = {
#define COLUMN(key, kinds, write) { #key, kinds, put_##key##_column },
#include "analysis/export/csv/columns.def"
#undef COLUMN
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

char *csv_head(enum event_kind kind)
{
	char *head;
	size_t size;
	FILE *f = open_memstream(&head, &size);

	for (size_t i = 0; i < COLUMNS; i++) {
		if (!(columns[i].kinds >> kind & 1))
			continue;
		fprintf(f, "%s%s", i ? "," : "", columns[i].key);
	}
	fputc('\n', f);
	fclose(f);
	return head;
}

void csv_line(struct out *o, const struct csv_row *row)
{
	struct writer w;
	enum event_kind kind = row->event->kind;

	w.row = row;
	w.count = event_fields(row->event, w.fields);
	for (size_t i = 0; i < COLUMNS; i++) {
		if (!(columns[i].kinds >> kind & 1))
			continue;
		if (i)
			out_char(o, ',');
		columns[i].put(o, &w);
	}
	out_char(o, '\n');
}
