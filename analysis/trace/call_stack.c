#include "analysis/trace/call_stack.h"

#include <string.h>

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

bool call_stack_is_cut(const struct trace_event *ev)
{
	return (ev->stack && ev->stack->truncated) || (ev->native && ev->native->truncated);
}
