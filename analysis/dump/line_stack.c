#include "analysis/dump/line_stack.h"

#include "analysis/trace/call_stack.h"
#include "analysis/trace/words.h"

static const char *path_of(const char *file)
{
	return stacks_path(file, strlen(file));
}

static void json_python(struct out *o, const struct frame *f)
{
	uint32_t line = frame_line(f);

	out_text(o, "{\"function\":");
	if (f->code)
		out_json(o, f->code->name);
	else
		out_text(o, "null");
	out_json_text(o, "file", f->code ? path_of(f->code->file) : NULL);
	if (line)
		out_json_number(o, "line", line);
	else
		out_json_text(o, "line", NULL);
	out_char(o, '}');
}

static void json_native(struct out *o, const struct frame *f)
{
	out_text(o, "{\"module\":");
	if (f->module)
		out_json(o, path_of(f->module->file));
	else
		out_text(o, "null");
	out_json_text(o, "symbol", frame_symbol(f));
	out_json_key(o, "offset");
	out_char(o, '"');
	out_hex(o, f->at);
	out_text(o, "\"}");
}

void dump_stack_json(struct out *o, const struct trace_event *ev)
{
	struct call_frame frames[CALL_STACK_MAX];
	size_t n = ev->has_stack ? call_stack(ev, frames) : 0;

	if (n) {
		out_text(o, ",\"stack\":[");
		for (size_t i = 0; i < n; i++) {
			out_json_comma(o, i);
			(frames[i].kind == STACK_PYTHON ? json_python : json_native)(o, frames[i].frame);
		}
		out_char(o, ']');
	}
	if (n && call_stack_is_cut(ev))
		out_json_truth(o, "stack_cut", true);
	if (ev->stack_lost)
		out_json_truth(o, "stack_lost", true);
	if (ev->has_stack && ev->stack_of != STACK_CALLER)
		out_json_text(o, "stack_of", stack_of_words[ev->stack_of]);
}

static void text_python(struct out *o, const struct frame *f)
{
	uint32_t line = frame_line(f);

	out_utf8(o, f->code ? path_of(f->code->file) : "?");
	if (line) {
		out_char(o, ':');
		out_u64(o, line);
	}
	out_char(o, ' ');
	out_utf8(o, f->code ? f->code->name : "?");
}

static void text_native(struct out *o, const struct frame *f)
{
	const char *symbol = frame_symbol(f);

	out_utf8(o, f->module ? path_of(f->module->file) : "?");
	out_char(o, '+');
	out_hex(o, f->at);
	if (!symbol)
		return;
	out_char(o, ' ');
	out_utf8(o, symbol);
}

void dump_stack_text(struct out *o, const struct trace_event *ev)
{
	if (!ev->has_stack)
		return;
	if (ev->stack_of != STACK_CALLER) {
		out_text(o, " stack_of=");
		out_text(o, stack_of_words[ev->stack_of]);
	}
	if (ev->stack && ev->stack->count) {
		out_text(o, " stack=");
		text_python(o, &ev->stack->frames[0]);
	} else if (ev->native && ev->native->count) {
		out_text(o, " stack=");
		text_native(o, &ev->native->frames[0]);
	}
}
