/* call_stack.h - who asked for a call, of Python and of the libraries below, as one list. */
#pragma once
#include "analysis/trace/trace.h"

struct call_frame {
	const struct frame *frame;
	enum stack_kind kind;
};

#define CALL_STACK_MAX (2 * STACK_FRAMES)

/*
 * Innermost first; how many they are. Where the interpreter stands among the native frames the frames of Python are, all of
 * them where it stands first; where it does not, they are another thread's, and stand outside of all.
 */
size_t call_stack(const struct trace_event *ev, struct call_frame frames[CALL_STACK_MAX]);

/* Were there more frames than are kept? */
bool call_stack_is_cut(const struct trace_event *ev);

/* The file without its folders. */
const char *call_stack_base(const char *path);
