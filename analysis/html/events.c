#include "analysis/html/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/export.h"
#include "analysis/export/timeline/timeline.h"
#include "analysis/trace/shapes.h"
#include "analysis/util/alloc.h"

#define HELD_MOST  2500000 /* slices, 48 bytes each */
#define RESOLUTION 1024	   /* ns; the first one */

static struct events *events_of(const struct line_writer *w)
{
	return (struct events *)w->out;
}

static uint64_t key_of(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | tid;
}

/* ---- processes and lanes ---- */

static void nothing(struct line_writer *w)
{
	(void)w;
}

static void put_process(struct line_writer *w, uint32_t pid, const char *title, uint32_t index)
{
	struct events *e = events_of(w);
	struct page_process *p = table_put(&e->processes, pid);

	(void)index;
	p->process = e->process;
	p->has_rank = e->process->has_rank;
	p->rank = e->process->rank;
	p->pid = e->process->pid;
	snprintf(p->title, sizeof(p->title), "%s", title);
}

static void put_label(struct line_writer *w, uint32_t pid, const char *text)
{
	struct page_process *p = table_put(&events_of(w)->processes, pid);

	snprintf(p->label, sizeof(p->label), "%s", text);
}

static void put_track(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, int64_t index)
{
	struct page_lane *lane = table_put(&events_of(w)->lanes, key_of(pid, tid));

	lane->process = pid;
	lane->index = index;
	snprintf(lane->title, sizeof(lane->title), "%s", title);
}

/* ---- curves ---- */

static void put_counter(struct line_writer *w, const struct counter *c)
{
	struct curve *curve = table_put(&events_of(w)->curves, key_of(c->pid, c->tid));

	memcpy(curve->title, c->title, sizeof(curve->title));
	curve->unit = c->unit;
}

static void widen(struct events *e, uint64_t begin, uint64_t end)
{
	e->first = begin < e->first ? begin : e->first;
	e->last = end > e->last ? end : e->last;
}

static void put_count(struct line_writer *w, const struct counter *c, uint64_t ns, uint64_t value)
{
	struct events *e = events_of(w);

	widen(e, ns, ns);
	curve_take(table_put(&e->curves, key_of(c->pid, c->tid)), ns, value, e->points_most);
}

/* ---- slices ---- */

static void open_slice(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t begin, uint64_t length)
{
	struct events *e = events_of(w);

	e->lane = table_put(&e->lanes, key_of(pid, tid));
	e->lane->process = pid;
	e->slice = (struct slice){ .begin = begin, .length = length, .busy = length, .longest = length, .count = 1 };
	e->category = category;
	e->arguments_used = e->arrow_count = 0;
	*e->arguments = '\0';
	strncpy(e->title, title, NAME_MOST); /* the last byte stays 0 */
	widen(e, begin, begin + length);
}

static void open_mark(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t ns)
{
	open_slice(w, pid, tid, title, category, ns, 0);
}

/* What nearly every slice has another of stands in none: numbers that join it with others, and what the lane or the place in time says, too. */
static bool is_left_out(const char *key)
{
	static const char *const keys[] = { "correlation", "External id", "step", "stream", "to_stream", "device", "memory bandwidth (GB/s)" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(keys[i], key))
			return true;
	return false;
}

/* key: value, a line each. */
static void put_text(struct line_writer *w, const char *key, const char *text)
{
	struct events *e = events_of(w);
	size_t room = sizeof(e->arguments) - e->arguments_used;
	int n;

	if (is_left_out(key))
		return;
	n = snprintf(e->arguments + e->arguments_used, room, "%s%s: %.300s", e->arguments_used ? "\n" : "", key, text);
	e->arguments_used += n > 0 && (size_t)n < room ? (size_t)n : 0;
	e->arguments[e->arguments_used] = '\0';
}

static void put_number(struct line_writer *w, const char *key, int64_t number)
{
	char text[32];

	if (is_left_out(key))
		return;
	snprintf(text, sizeof(text), "%lld", (long long)number);
	put_text(w, key, text);
}

static void put_fraction(struct line_writer *w, const char *key, double number)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9g", number);
	put_text(w, key, text);
}

static void put_truth(struct line_writer *w, const char *key, bool yes)
{
	put_text(w, key, yes ? "yes" : "no");
}

static void put_shapes(struct line_writer *w, const struct shapes *shapes)
{
	static struct out o = { .fd = -1 };

	o.used = 0;
	for (uint32_t i = 0; i < shapes->def.tensors && o.used < 200; i++) {
		out_text(&o, i ? " " : "");
		shapes_dimensions(&o, &shapes->tensors[i]);
	}
	o.buffer[o.used < 255 ? o.used : 255] = '\0';
	put_text(w, "shapes", o.buffer);
}

static void keep_arrow(struct line_writer *w, enum arrow kind, bool ends, uint64_t id)
{
	struct events *e = events_of(w);

	e->open_arrows[e->arrow_count].id = id;
	e->open_arrows[e->arrow_count].ends = ends;
	e->open_arrows[e->arrow_count++].from_begin = ends || kind == ARROW_LAUNCHED;
}

/* How many of its lane it lies in. */
static size_t depth_of(struct page_lane *lane, const struct slice *s)
{
	size_t depth = lane->depth;

	while (depth && lane->ends[depth - 1] <= s->begin)
		depth--;
	if (s->length && depth < DEPTH_MOST)
		lane->ends[depth] = s->begin + s->length;
	lane->depth = s->length && depth < DEPTH_MOST ? depth + 1 : depth;
	return depth < DEPTH_MOST ? depth : DEPTH_MOST - 1;
}

/* Number of its row, from 0. */
static uint32_t row_of(struct events *e, struct page_lane *lane, size_t depth)
{
	if (!lane->rows[depth]) {
		lane->rows[depth] = (uint32_t)e->rows.count + 1;
		table_put(&e->rows, lane->rows[depth]);
	}
	return lane->rows[depth] - 1;
}

static void close_slice(struct line_writer *w)
{
	struct events *e = events_of(w);
	uint32_t row = row_of(e, e->lane, depth_of(e->lane, &e->slice));

	e->slice.kind = names_kind(&e->names, e->title, e->category, e->arguments);
	e->slices++;
	e->held += row_push(events_row(e, row), &e->slice, e->resolution);
	for (size_t i = 0; i < e->arrow_count; i++)
		arrows_take(&e->arrows, e->open_arrows[i].id, e->open_arrows[i].ends, row, e->slice.begin + (e->open_arrows[i].from_begin ? 0 : e->slice.length));
	while (e->held > HELD_MOST)
		events_merge(e, e->resolution ? 4 * e->resolution : RESOLUTION);
}

void events_merge(struct events *e, uint64_t resolution)
{
	e->resolution = resolution;
	e->held = 0;
	for (size_t i = 0; i < e->rows.count; i++) {
		row_merge(events_row(e, i), resolution);
		e->held += events_row(e, i)->count;
	}
}

/* ---- all of it ---- */

static const struct line_format format = {
	.suffix = "",
	.begin = nothing,
	.restart = nothing,
	.process = put_process,
	.label = put_label,
	.track = put_track,
	.counter = put_counter,
	.count = put_count,
	.slice = open_slice,
	.mark = open_mark,
	.number = put_number,
	.fraction = put_fraction,
	.truth = put_truth,
	.text = put_text,
	.shapes = put_shapes,
	.arrow = keep_arrow,
	.close = close_slice,
	.end = nothing,
};

static void begin(struct export *e)
{
	timeline_begin(e, &format);
}

static void begin_process(struct export *e, struct process *p)
{
	((struct events *)e->out)->process = p;
	timeline_process(e, p);
}

static const struct exporter feed = {
	.begin = begin,
	.process = begin_process,
	.event = timeline_event,
	.visitor = TIMELINE_VISITOR,
	.process_end = timeline_process_end,
	.turn = timeline_turn,
	.end = timeline_end,
};

bool events_read(struct events **events, struct trace *t, const struct choice *choice)
{
	struct events *e = *events = alloc_zero(1, sizeof(*e));
	struct exported done;
	struct export wanted = { .out = &e->nowhere, .trace = t, .choice = choice, .kinds = EXPORT_ALL_KINDS, .jobs = 1 };

	e->nowhere.error = EBADF;
	e->processes = TABLE(struct page_process);
	e->lanes = TABLE(struct page_lane);
	e->curves = TABLE(struct curve);
	e->rows = TABLE(struct row);
	e->first = UINT64_MAX;
	e->points_most = t->count > 16 ? 65536 / t->count + 64 : 4096;
	names_init(&e->names);
	done = export_trace(&feed, &wanted, t);
	e->ranks = done.ranks;
	e->found = done.events + done.stages;
	return done.whole;
}

void events_free(struct events *e)
{
	for (size_t i = 0; i < e->rows.count; i++)
		free(events_row(e, i)->list);
	for (size_t i = 0; i < e->curves.count; i++)
		free(((struct curve *)table_item(&e->curves, i))->list);
	table_free(&e->processes);
	table_free(&e->lanes);
	table_free(&e->curves);
	table_free(&e->rows);
	names_free(&e->names);
	arrows_free(&e->arrows);
	free(e);
}
