/* chrome.c - the time line in Chrome's JSON trace format (chrome://tracing, ui.perfetto.dev): one record a line. */
#include <stdlib.h>

#include "analysis/export/timeline/timeline.h"
#include "analysis/trace/shapes.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"

/* The slice or mark that is open. */
struct chrome {
	bool comma;	/* there is a record before */
	bool arguments; /* it has some already */
	uint32_t pid, track;
	uint64_t begin, end;
	const char *arrow; /* from or to it; NULL: none */
	uint64_t arrow_id;
	bool arrow_ends;
};

static void begin_record(struct line_writer *w, const char *phase, uint32_t pid, uint32_t track)
{
	struct chrome *c = w->own;

	out_text(w->out, c->comma ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	c->comma = true;
	out_text(w->out, phase);
	out_text(w->out, "\",\"pid\":");
	out_u64(w->out, pid);
	out_text(w->out, ",\"tid\":");
	out_u64(w->out, track);
}

static void put_time(struct line_writer *w, uint64_t ns)
{
	out_text(w->out, ",\"ts\":");
	out_micro(w->out, ns > w->base ? ns - w->base : 0);
}

/* ---- processes and tracks ---- */

/* What a process or track is called, and where it stands among its like. */
static void put_name(struct line_writer *w, const char *what, uint32_t pid, uint32_t track, const char *title, int64_t index)
{
	begin_record(w, "M", pid, track);
	out_format(w->out, ",\"name\":\"%s_name\",\"args\":{\"name\":", what);
	out_json_plain(w->out, title);
	out_text(w->out, "}}");
	begin_record(w, "M", pid, track);
	out_format(w->out, ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%lld}}", what, (long long)index);
}

static void put_process(struct line_writer *w, uint32_t pid, const char *title)
{
	put_name(w, "process", pid, 0, title, pid);
}

static void put_track(struct line_writer *w, uint32_t pid, uint32_t track, const char *title, int64_t index)
{
	put_name(w, "thread", pid, track, title, index);
}

/* ---- slices and marks ---- */

static void open_record(struct line_writer *w, uint32_t pid, uint32_t track, uint64_t begin, uint64_t end)
{
	struct chrome *c = w->own;

	c->arguments = false;
	c->arrow = NULL;
	c->pid = pid;
	c->track = track;
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

static void put_slice(struct line_writer *w, uint32_t pid, uint32_t track, const char *title, const char *category, uint64_t begin, uint64_t duration)
{
	open_record(w, pid, track, begin, begin + duration);
	begin_record(w, "X", pid, track);
	put_what(w, title, category, begin);
	out_text(w->out, ",\"dur\":");
	out_micro(w->out, duration);
}

static void put_mark(struct line_writer *w, uint32_t pid, uint32_t track, const char *title, const char *category, uint64_t ns)
{
	open_record(w, pid, track, ns, ns);
	begin_record(w, "i", pid, track);
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

static void keep_arrow(struct line_writer *w, bool ends, const char *title, uint64_t id)
{
	struct chrome *c = w->own;

	c->arrow = title;
	c->arrow_id = id;
	c->arrow_ends = ends;
}

static void put_arrow(struct line_writer *w)
{
	struct chrome *c = w->own;

	begin_record(w, c->arrow_ends ? "f" : "s", c->pid, c->track);
	out_text(w->out, ",\"name\":\"");
	out_text(w->out, c->arrow);
	out_text(w->out, c->arrow_ends ? "\",\"cat\":\"plan\",\"bp\":\"e\",\"id\":" : "\",\"cat\":\"plan\",\"id\":");
	out_u64(w->out, c->arrow_id);
	put_time(w, c->arrow_ends ? c->begin : c->end);
	out_char(w->out, '}');
}

static void close_record(struct line_writer *w)
{
	struct chrome *c = w->own;

	out_text(w->out, c->arguments ? "}}" : "}");
	if (c->arrow)
		put_arrow(w);
}

/* ---- the file ---- */

static void begin_file(struct line_writer *w)
{
	w->own = alloc_zero(1, sizeof(struct chrome));
	out_format(w->out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"base_ns\":\"%llu\"},\"traceEvents\":[", (unsigned long long)w->base);
}

static void end_file(struct line_writer *w)
{
	out_text(w->out, "\n]}\n");
	free(w->own);
}

static const struct line_format format = {
	.begin = begin_file,
	.process = put_process,
	.track = put_track,
	.slice = put_slice,
	.mark = put_mark,
	.number = put_number,
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
	.begin = begin,
	.process = timeline_process,
	.event = timeline_event,
	.visitor = TIMELINE_VISITOR,
	.process_end = timeline_process_end,
	.end = timeline_end,
};
