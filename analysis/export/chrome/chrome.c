/*
 * chrome.c - the time line in Chrome's JSON trace format (chrome://tracing, ui.perfetto.dev), in the shape of PyTorch's profiler, which
 * HTA, TensorBoard's plugin and msprof-analyze read: one record a line.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/export/chrome_record.h"
#include "analysis/export/limits.h"
#include "analysis/export/timeline/timeline.h"
#include "analysis/trace/shapes.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"

/* The slice or mark that is open. */
struct chrome {
	uint64_t records; /* so far */
	bool arguments;	  /* it has some already */
	uint32_t pid, tid;
	uint64_t begin, end;
	size_t arrow_count; /* from or to it */
	struct {
		enum arrow kind;
		uint64_t id;
		bool ends;
	} arrows[2 * ARROW_COUNT];
};

static const struct {
	const char *title, *category;
	bool from_begin;
} arrows[ARROW_COUNT] = {
#define ARROW(symbol, title, category, from_begin) { title, category, from_begin },
	ARROWS(ARROW)
#undef ARROW
};

static void begin_record(struct line_writer *w, const char *phase, uint32_t pid, uint32_t tid)
{
	struct chrome *c = w->own;

	chrome_record_begin(w->out, !c->records++, phase, pid, tid);
}

static void put_time(struct line_writer *w, uint64_t ns)
{
	out_text(w->out, ",\"ts\":");
	out_micro(w->out, ns > w->base ? ns - w->base : 0);
}

/* ---- processes and tracks ---- */

/* What a process or track is called, and where it stands among its like. */
static void put_name(struct line_writer *w, const char *what, uint32_t pid, uint32_t tid, const char *title, int64_t index)
{
	begin_record(w, "M", pid, tid);
	out_format(w->out, ",\"name\":\"%s_name\",\"args\":{\"name\":", what);
	out_json_plain(w->out, title);
	out_text(w->out, "}}");
	begin_record(w, "M", pid, tid);
	out_format(w->out, ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%lld}}", what, (long long)index);
}

static void put_process(struct line_writer *w, uint32_t pid, const char *title, uint32_t index)
{
	put_name(w, "process", pid, 0, title, index);
}

static void put_label(struct line_writer *w, uint32_t pid, const char *text)
{
	begin_record(w, "M", pid, 0);
	out_text(w->out, ",\"name\":\"process_labels\",\"args\":{\"labels\":");
	out_json_plain(w->out, text);
	out_text(w->out, "}}");
}

static void put_track(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, int64_t index)
{
	put_name(w, "thread", pid, tid, title, index);
}

/* A counter comes to be with its first number. */
static void put_counter(struct line_writer *w, const struct counter *c)
{
	(void)w;
	(void)c;
}

static void put_count(struct line_writer *w, const struct counter *c, uint64_t ns, uint64_t value)
{
	begin_record(w, "C", c->pid, c->tid);
	out_text(w->out, ",\"name\":");
	out_json_plain(w->out, c->title);
	put_time(w, ns);
	out_text(w->out, ",\"args\":{\"");
	out_text(w->out, c->unit);
	out_text(w->out, "\":");
	out_u64(w->out, value);
	out_text(w->out, "}}");
}

/* ---- slices and marks ---- */

static void open_record(struct line_writer *w, uint32_t pid, uint32_t tid, uint64_t begin, uint64_t end)
{
	struct chrome *c = w->own;

	c->arguments = false;
	c->arrow_count = 0;
	c->pid = pid;
	c->tid = tid;
	c->begin = begin;
	c->end = end;
}

static void put_what(struct line_writer *w, const char *title, const char *category, uint64_t ns)
{
	out_text(w->out, ",\"name\":");
	out_json_plain(w->out, title);
	out_text(w->out, ",\"cat\":\"");
	out_text(w->out, category);
	out_char(w->out, '"');
	put_time(w, ns);
}

static void put_slice(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t begin, uint64_t duration)
{
	open_record(w, pid, tid, begin, begin + duration);
	begin_record(w, "X", pid, tid);
	put_what(w, title, category, begin);
	out_text(w->out, ",\"dur\":");
	out_micro(w->out, duration);
}

static void put_mark(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t ns)
{
	open_record(w, pid, tid, ns, ns);
	begin_record(w, "i", pid, tid);
	out_text(w->out, ",\"s\":\"t\"");
	put_what(w, title, category, ns);
}

static void put_key(struct line_writer *w, const char *key)
{
	struct chrome *c = w->own;

	out_text(w->out, c->arguments ? ",\"" : ",\"args\":{\"");
	c->arguments = true;
	out_text(w->out, key);
	out_text(w->out, "\":");
}

static void put_number(struct line_writer *w, const char *key, int64_t number)
{
	put_key(w, key);
	out_i64(w->out, number);
}

static void put_fraction(struct line_writer *w, const char *key, double number)
{
	put_key(w, key);
	out_format(w->out, "%.9g", number);
}

static void put_truth(struct line_writer *w, const char *key, bool yes)
{
	put_key(w, key);
	out_text(w->out, yes ? "true" : "false");
}

static void put_text(struct line_writer *w, const char *key, const char *text)
{
	put_key(w, key);
	out_json_plain(w->out, text);
}

static void put_words(struct line_writer *w, const char *key, const struct shapes *shapes, bool formats)
{
	put_key(w, key);
	out_char(w->out, '[');
	for (uint32_t i = 0; i < shapes->def.tensors; i++) {
		const struct def_tensor *t = &shapes->tensors[i];

		out_json_comma(w->out, i);
		out_char(w->out, '"');
		out_text(w->out, formats ? format_words[t->format] : data_words[t->type]);
		out_char(w->out, '"');
	}
	out_char(w->out, ']');
}

/* As viewers of PyTorch's traces know it. */
static void put_shapes(struct line_writer *w, const struct shapes *shapes)
{
	put_key(w, "Input Dims");
	out_char(w->out, '[');
	for (uint32_t i = 0; i < shapes->def.tensors; i++) {
		out_json_comma(w->out, i);
		shapes_dimensions(w->out, &shapes->tensors[i]);
	}
	out_char(w->out, ']');
	put_words(w, "Input type", shapes, false);
	put_words(w, "Input Formats", shapes, true);
}

static void keep_arrow(struct line_writer *w, enum arrow kind, bool ends, uint64_t id)
{
	struct chrome *c = w->own;
	size_t n = c->arrow_count++;

	c->arrows[n].kind = kind;
	c->arrows[n].id = id;
	c->arrows[n].ends = ends;
}

static void put_arrow(struct line_writer *w, size_t n)
{
	struct chrome *c = w->own;
	enum arrow kind = c->arrows[n].kind;
	bool ends = c->arrows[n].ends;

	chrome_record_begin_arrow(w->out, !c->records++, ends, c->pid, c->tid, arrows[kind].title, arrows[kind].category);
	out_hex(w->out, c->arrows[n].id);
	out_char(w->out, '"');
	put_time(w, ends || arrows[kind].from_begin ? c->begin : c->end);
	out_char(w->out, '}');
}

static void close_record(struct line_writer *w)
{
	struct chrome *c = w->own;

	out_text(w->out, c->arguments ? "}}" : "}");
	for (size_t i = 0; i < c->arrow_count; i++)
		put_arrow(w, i);
}

/* ---- the file ---- */

/* Of the devices that it used: what they are called. */
static void put_devices(struct line_writer *w)
{
	const struct table *devices = &w->only->defs.devices;

	out_text(w->out, "\"deviceProperties\": [");
	for (size_t i = 0; i < devices->count; i++) {
		const struct device *device = table_item(devices, i);

		out_json_comma(w->out, i);
		out_text(w->out, "\n{\"id\": ");
		out_u64(w->out, devices->keys[i] - 1); /* they count from 1 */
		out_text(w->out, ", \"name\": ");
		out_json_plain(w->out, device->name ? device->name : "");
		out_char(w->out, '}');
	}
	out_text(w->out, "],\n");
}

/* HTA looks for the rank with a blank in front of the number, line by line. */
static void put_rank(struct line_writer *w)
{
	const char *world = process_fact(w->only, "world");

	out_text(w->out, "\"distributedInfo\": {\"rank\": ");
	out_i64(w->out, w->only->rank);
	if (*world)
		out_format(w->out, ", \"world_size\": %llu", strtoull(world, NULL, 10));
	out_text(w->out, "},\n");
}

static void begin_file(struct line_writer *w)
{
	w->own = alloc_zero(1, sizeof(struct chrome));
	out_text(w->out, "{\"schemaVersion\": 1,\n");
	if (w->only)
		put_devices(w);
	if (w->only && w->only->has_rank)
		put_rank(w);
	out_format(w->out, "\"displayTimeUnit\": \"ns\",\n\"baseTimeNanoseconds\": %" PRIu64 ",\n", w->base);
	if (w->name) {
		out_text(w->out, "\"traceName\": ");
		out_json_plain(w->out, w->name);
		out_text(w->out, ",\n");
	}
	out_text(w->out, "\"traceEvents\": [\n");
}

static void restart(struct line_writer *w)
{
	((struct chrome *)w->own)->records = 0;
}

static void end_process(struct line_writer *w)
{
	out_char(w->out, '\n');
}

static void end_file(struct line_writer *w)
{
	out_text(w->out, "]}\n");
	free(w->own);
}

static const struct line_format format = {
	.suffix = "pt.trace.json",
	.begins_names = true,
	.begin = begin_file,
	.restart = restart,
	.process_end = end_process,
	.process = put_process,
	.label = put_label,
	.track = put_track,
	.counter = put_counter,
	.count = put_count,
	.slice = put_slice,
	.mark = put_mark,
	.number = put_number,
	.fraction = put_fraction,
	.truth = put_truth,
	.text = put_text,
	.shapes = put_shapes,
	.arrow = keep_arrow,
	.close = close_record,
	.end = end_file,
};

static void begin(struct export *e)
{
	timeline_begin(e, &format);
}

const struct exporter chrome_exporter = {
	.apart = true,
	.may_be_folder = true,
	.may_be_packed = true,
	.limit = LIMIT_JSON,
	.between = ",",
	.begin = begin,
	.process = timeline_process,
	.event = timeline_event,
	.visitor = TIMELINE_VISITOR,
	.process_end = timeline_process_end,
	.turn = timeline_turn,
	.end = timeline_end,
};
