/* graphs.c - section: launches of graphs, with the kernels in them, and how many calls were captured. */
#include "analysis/report/graphs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/util/alloc.h"

#define SHOWN 1000 /* of a process, in JSON */

/* ---- a row's name: "nodes kernels", then "nodes name" for each name, and "nodes" of all others, a line each ---- */

static void add_line(char **text, uint64_t nodes, const char *name)
{
	char *longer = NULL;

	if (asprintf(&longer, "%s\n%" PRIu64 "%s%s", *text, nodes, name ? " " : "", name ? name : "") < 0)
		return;
	for (char *c = longer + strlen(*text) + 1; *c; c++)
		if (*c == '\n')
			*c = ' ';
	free(*text);
	*text = longer;
}

static char *name_of(const struct launch *launch)
{
	const struct graph *g = launch->graph;
	char head[64], *text;
	size_t n = (size_t)snprintf(head, sizeof(head), "%" PRIu32 " %" PRIu32, g->def.nodes, g->def.kernels);

	text = alloc_text(head, n);
	for (uint32_t i = 0; i < g->def.names; i++)
		add_line(&text, g->kernels[i].def.nodes, g->kernels[i].name);
	if (g->def.others)
		add_line(&text, g->def.others, NULL);
	return text;
}

struct name_line {
	uint64_t nodes;
	size_t length;	  /* of the name */
	const char *name; /* NULL: all others */
};

/* The line that begins here; the next one, or NULL. */
static const char *read_line(const char *text, struct name_line *line)
{
	char *end;

	line->nodes = strtoull(text, &end, 10);
	line->name = *end == ' ' ? end + 1 : NULL;
	line->length = strcspn(end, "\n");
	line->length -= line->name != NULL;
	end = strchr(end, '\n');
	return end ? end + 1 : NULL;
}

/* ---- rows ---- */

static bool is_known(const struct launch *launch, enum event_kind kind)
{
	return kind == EV_LAUNCH && launch && launch->graph;
}

void graphs_take(struct graphs *g, const struct trace_event *ev)
{
	g->captured += ev->captured;
	if (!ev->captured && is_known(ev->launch, ev->kind))
		kernel_row_take(launch_rows_of(&g->rows, ev->launch, ev->kind, name_of), ev);
}

void graphs_time(struct graphs *g, const struct trace_device *dev)
{
	if (is_known(dev->launch, dev->kind))
		kernel_row_time(launch_rows_of(&g->rows, dev->launch, dev->kind, name_of), dev);
}

static void parcel(struct parcel *p, void *kept)
{
	launch_rows_parcel(p, kept);
	PARCEL(p, ((struct graphs *)kept)->captured);
}

static struct kernel_list list_of(const struct report *r)
{
	return ((const struct graphs *)r->sections[SECTION_graphs])->rows.list;
}

/* ---- as text ---- */

static void text_kernels(struct out *o, const char *next, size_t top)
{
	struct name_line line;
	uint64_t others = 0;

	for (size_t i = 0; next; i++) {
		char *name;

		next = read_line(next, &line);
		if (!line.name || i >= top) {
			others += line.nodes;
			continue;
		}
		name = alloc_text(line.name, line.length);
		out_format(o, "%61" PRIu64 "  ", line.nodes);
		column_name(o, name);
		out_char(o, '\n');
		free(name);
	}
	if (others)
		out_format(o, "%61" PRIu64 "  (others)\n", others);
}

static void text_captured(struct out *o, const struct report *reports, size_t count)
{
	uint64_t captured = 0;

	for (size_t i = 0; i < count; i++)
		captured += ((const struct graphs *)reports[i].sections[SECTION_graphs])->captured;
	if (captured)
		out_format(o, "\n%" PRIu64 " calls gave their work to streams that were captured: it ran with graphs, and is in no other table\n",
			   captured);
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	size_t n;
	struct kernel_row *rows = kernel_rows_join(list_of, reports, count, &n);
	bool partly = kernel_rows_partly(rows, n < top ? n : top);

	if (n)
		out_format(o, "\nGraphs (%zu of %zu)\n" COLUMNS_OF_KERNELS "%10s %10s  %s\n", n < top ? n : top, n, "LAUNCHES",
			   partly ? COLUMN_TIMED : "", "DEVICE", "HOST", "NODES", "KERNELS", "NAME");
	for (size_t i = 0; i < n && i < top; i++) {
		struct name_line head;
		const char *kernels = read_line(rows[i].name, &head);

		kernel_row_columns(o, &rows[i], partly);
		out_format(o, "%10" PRIu64 " %10.*s\n", head.nodes, (int)head.length, head.name ? head.name : "");
		text_kernels(o, kernels, top);
	}
	kernel_rows_drop(rows, n);
	text_captured(o, reports, count);
}

/* ---- as JSON ---- */

static void json_kernels(struct out *o, const char *next)
{
	uint64_t others = 0;
	struct name_line line;

	out_json_key(o, "names");
	out_char(o, '[');
	for (size_t i = 0; next; i++) {
		char *name;

		next = read_line(next, &line);
		if (!line.name) {
			others = line.nodes;
			continue;
		}
		name = alloc_text(line.name, line.length);
		out_json_comma(o, i);
		out_text(o, "{\"name\":");
		out_json(o, name);
		out_json_number(o, "nodes", line.nodes);
		out_char(o, '}');
		free(name);
	}
	out_char(o, ']');
	if (others)
		out_json_number(o, "names_left_out", others);
}

static void json(struct out *o, const struct report *r)
{
	struct kernel_list list = list_of(r);
	size_t most = report_rows(r, SHOWN);

	out_json_key(o, "graphs");
	out_char(o, '[');
	for (size_t i = 0; i < list.count && i < most; i++) {
		const struct kernel_row *row = &list.rows[i];
		struct name_line head;
		const char *kernels = read_line(row->name, &head);

		out_json_comma(o, i);
		out_text(o, "{\"nodes\":");
		out_u64(o, head.nodes);
		out_json_number(o, "kernels", head.name ? strtoull(head.name, NULL, 10) : 0);
		json_kernels(o, kernels);
		kernel_row_members(o, row);
		out_char(o, '}');
	}
	out_char(o, ']');
	if (list.count > most)
		out_json_number(o, "graphs_left_out", list.count - most);
	out_json_number(o, "captured", ((const struct graphs *)r->sections[SECTION_graphs])->captured);
}

const struct section graphs_section = {
	.kept = sizeof(struct graphs),
	.begin = launch_rows_begin,
	.end = launch_rows_end,
	.free = launch_rows_free,
	.parcel = parcel,
	.of_calls = true,
	.text = text,
	.json = json,
};
