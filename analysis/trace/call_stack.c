#include "analysis/trace/call_stack.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/util/alloc.h"

const char *call_stack_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_interpreter(const struct frame *f)
{
	const char *name = f->module ? call_stack_base(f->module->file) : "";

	return !strncmp(name, "python", 6) || !strncmp(name, "libpython", 9);
}

struct list {
	struct call_frame *frames;
	size_t count;
};

static void add_python(struct list *l, const struct stack *python)
{
	for (uint32_t i = 0; i < python->count; i++)
		l->frames[l->count++] = (struct call_frame){ &python->frames[i], STACK_PYTHON };
}

size_t call_stack(const struct trace_event *ev, struct call_frame frames[CALL_STACK_MAX])
{
	const struct stack *python = ev->stack && ev->stack->count ? ev->stack : NULL;
	struct list l = { .frames = frames };
	bool told = !python;

	for (uint32_t i = 0; ev->native && i < ev->native->count; i++) {
		const struct frame *f = &ev->native->frames[i];

		if (!python || !is_interpreter(f)) {
			frames[l.count++] = (struct call_frame){ f, STACK_NATIVE };
		} else if (!told) {
			add_python(&l, python);
			told = true;
		}
	}
	if (!told)
		add_python(&l, python);
	return l.count;
}

#define FILE_BYTES     512
#define FUNCTION_BYTES 256

/* The end of a path tells more than its begin. */
static const char *end_of(const char *path)
{
	size_t size = strlen(path);

	return path + (size > FILE_BYTES ? size - FILE_BYTES : 0);
}

static const char *shown_of(const char *path)
{
	return end_of(stacks_path(path, strlen(path)));
}

static void python_text(char text[CALL_FRAME_ROOM], const struct frame *f)
{
	uint32_t line = frame_line(f);

	if (!f->code)
		snprintf(text, CALL_FRAME_ROOM, "?");
	else if (line)
		snprintf(text, CALL_FRAME_ROOM, "%s(%u): %s", shown_of(f->code->file), line, f->code->name);
	else
		snprintf(text, CALL_FRAME_ROOM, "%s: %s", shown_of(f->code->file), f->code->name);
}

void call_frame_text(char text[CALL_FRAME_ROOM], const struct call_frame *f)
{
	const struct frame *frame = f->frame;
	const char *symbol;

	if (f->kind == STACK_PYTHON) {
		python_text(text, frame);
		return;
	}
	symbol = frame_symbol(frame);
	snprintf(text, CALL_FRAME_ROOM, "%s(0x%" PRIx64 ")%s%s", frame->module ? shown_of(frame->module->file) : "?", frame->at, symbol ? ": " : "",
		 symbol ? symbol : "");
}

char *call_line_name(const struct frame *f)
{
	const char *file = f->code->file, *end = end_of(file);

	return alloc_format("%s%s:%u %.*s", end == file ? "" : "...", end, frame_line(f), FUNCTION_BYTES, f->code->name);
}

char *call_stack_line(const struct trace_event *ev, const char *between)
{
	struct call_frame frames[CALL_STACK_MAX];
	size_t n = ev->has_stack ? call_stack(ev, frames) : 0, room = CALL_FRAME_ROOM + strlen(between), used = 0;
	char *line = n ? alloc_zero(n, room) : NULL;

	for (size_t i = 0; i < n; i++) {
		if (i)
			used += (size_t)snprintf(line + used, room, "%s", between);
		call_frame_text(line + used, &frames[i]);
		used += strlen(line + used);
	}
	return line;
}

bool call_stack_is_cut(const struct trace_event *ev)
{
	return (ev->stack && ev->stack->truncated) || (ev->native && ev->native->truncated);
}

/* A folder lib or lib64 with python3.11 or the like in it. */
static bool is_in_python(const char *file)
{
	static const char *const folders[] = { "/lib/python", "/lib64/python" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		for (const char *at = file; (at = strstr(at, folders[i])); at++)
			if (isdigit((unsigned char)at[strlen(folders[i])]))
				return true;
	return false;
}

/* What is installed, and what the interpreter brings along. */
static bool is_library(const struct code *c)
{
	return strstr(c->file, "/site-packages/") || strstr(c->file, "/dist-packages/") || !strncmp(c->file, "<frozen ", 8) || is_in_python(c->file);
}

/* Made while the program runs, mostly by a library (dataclasses, torch.fx, pyopencl), or given to python -c; typed by somebody it is none. */
static bool is_text(const struct code *c)
{
	return *c->file == '<' && strcmp(c->file, "<stdin>") != 0 && strncmp(c->file, "<ipython-input", 14) != 0;
}

const struct frame *call_stack_user(const struct stack *python)
{
	const struct frame *outermost = NULL, *text = NULL;

	for (uint32_t i = 0; python && i < python->count; i++) {
		if (!python->frames[i].code)
			continue;
		outermost = &python->frames[i];
		if (is_library(outermost->code))
			continue;
		if (!is_text(outermost->code))
			return outermost;
		text = text ? text : outermost;
	}
	return text ? text : outermost;
}
