/* line_parts.h - what lines of JSON and of columns have in common. */
#pragma once
#include "analysis/trace/event_fields.h"
#include "analysis/util/out.h"

void dump_line_sizes(struct out *o, const uint64_t *size, uint32_t dimensions, char between);

/* Tells each of an event's fields of its kind. */
void dump_line_fields(struct out *o, const struct trace_event *ev, void (*tell)(struct out *o, const struct field *field));
