#include "analysis/export/chrome/records.h"

#include "analysis/trace/shapes.h"
#include "analysis/trace/words.h"

static void records_begin(struct records *r, const char *phase, uint32_t pid, uint32_t track)
{
	out_text(r->out, r->comma ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	r->comma = true;
	out_text(r->out, phase);
	out_text(r->out, "\",\"pid\":");
	out_u64(r->out, pid);
	out_text(r->out, ",\"tid\":");
	out_u64(r->out, track);
}

void records_name(struct records *r, const char *what, uint32_t pid, uint32_t track,
		  const char *text)
{
	records_begin(r, "M", pid, track);
	out_format(r->out, ",\"name\":\"%s\",\"args\":{\"name\":", what);
	out_json_plain(r->out, text);
	out_text(r->out, "}}");
}

void records_order(struct records *r, const char *what, uint32_t pid, uint32_t track,
		   int64_t index)
{
	records_begin(r, "M", pid, track);
	out_format(r->out, ",\"name\":\"%s\",\"args\":{\"sort_index\":%lld}}", what,
		   (long long)index);
}

/* What slices and marks have alike: name, category, when. */
static void put_what(struct records *r, const char *title, const char *category, uint64_t ns)
{
	out_text(r->out, ",\"name\":");
	out_json_plain(r->out, title);
	out_text(r->out, ",\"cat\":\"");
	out_text(r->out, category);
	out_text(r->out, "\",\"ts\":");
	out_micro(r->out, ns > r->base ? ns - r->base : 0);
}

void records_slice(struct records *r, uint32_t pid, uint32_t track, const char *title,
		   const char *category, uint64_t begin, uint64_t duration)
{
	records_begin(r, "X", pid, track);
	put_what(r, title, category, begin);
	out_text(r->out, ",\"dur\":");
	out_micro(r->out, duration);
}

void records_mark(struct records *r, uint32_t pid, uint32_t track, const char *title, const char *category, uint64_t ns)
{
	records_begin(r, "i", pid, track);
	out_text(r->out, ",\"s\":\"t\"");
	put_what(r, title, category, ns);
}

uint32_t records_track(struct records *r, uint32_t pid, const char *title, int64_t index)
{
	uint32_t track = ++r->tracks;

	records_name(r, "thread_name", pid, track, title);
	records_order(r, "thread_sort_index", pid, track, index);
	return track;
}

void records_argument(struct records *r, bool *first, const char *key)
{
	out_text(r->out, *first ? ",\"args\":{\"" : ",\"");
	*first = false;
	out_text(r->out, key);
	out_text(r->out, "\":");
}

void records_step(struct records *r, bool *first, int64_t step)
{
	if (step == STEP_NULL)
		return;
	records_argument(r, first, "step");
	out_i64(r->out, step);
}

static void argument_sizes(struct records *r, bool *first, const char *key, const uint64_t *n,
			   uint32_t count)
{
	records_argument(r, first, key);
	out_char(r->out, '"');
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			out_char(r->out, 'x');
		out_u64(r->out, n[i]);
	}
	out_char(r->out, '"');
}

void records_launch(struct records *r, bool *first, const struct launch *launch)
{
	if (!launch)
		return;
	if (launch->name) {
		records_argument(r, first, "kernel");
		out_json_plain(r->out, launch->name);
	}
	if (launch->def.dimensions)
		argument_sizes(r, first, "global", launch->def.global, launch->def.dimensions);
	if (launch->def.dimensions && launch->def.has_local)
		argument_sizes(r, first, "local", launch->def.local, launch->def.dimensions);
}

static void argument_words(struct records *r, bool *first, const char *key, const struct shapes *shapes, bool formats)
{
	records_argument(r, first, key);
	out_char(r->out, '[');
	for (uint32_t i = 0; i < shapes->def.tensors; i++) {
		const struct def_tensor *t = &shapes->tensors[i];

		out_json_comma(r->out, i);
		out_char(r->out, '"');
		out_text(r->out, formats ? format_words[t->format] : data_words[t->type]);
		out_char(r->out, '"');
	}
	out_char(r->out, ']');
}

void records_shapes(struct records *r, bool *first, const struct shapes *shapes)
{
	records_argument(r, first, "Input Dims");
	out_char(r->out, '[');
	for (uint32_t i = 0; i < shapes->def.tensors; i++) {
		out_json_comma(r->out, i);
		shapes_dimensions(r->out, &shapes->tensors[i]);
	}
	out_char(r->out, ']');
	argument_words(r, first, "Input type", shapes, false);
	argument_words(r, first, "Input Formats", shapes, true);
}

void records_flow(struct records *r, bool ends, uint32_t pid, uint32_t track, const char *title, uint64_t id,
		  uint64_t ns)
{
	records_begin(r, ends ? "f" : "s", pid, track);
	out_text(r->out, ",\"name\":\"");
	out_text(r->out, title);
	out_text(r->out, ends ? "\",\"cat\":\"plan\",\"bp\":\"e\",\"id\":" : "\",\"cat\":\"plan\",\"id\":");
	out_u64(r->out, id);
	out_text(r->out, ",\"ts\":");
	out_micro(r->out, ns > r->base ? ns - r->base : 0);
	out_char(r->out, '}');
}

void records_fields(struct records *r, bool *first, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		records_argument(r, first, fields[i].key);
		if (fields[i].text)
			out_json(r->out, fields[i].text);
		else
			out_i64(r->out, fields[i].number);
	}
}
