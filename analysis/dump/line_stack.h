/* line_stack.h - who asked for a call, on its line. */
#pragma once
#include "analysis/trace/trace.h"
#include "analysis/util/out.h"

/* Keys behind others: all frames, the innermost first. */
void dump_stack_json(struct out *o, const struct trace_event *ev);

/* The innermost frame of Python, or else of any. */
void dump_stack_text(struct out *o, const struct trace_event *ev);
