/* line.h - how one event looks on one line. */
#pragma once
#include "analysis/trace/device_join.h"
#include "analysis/util/out.h"

/* An event and what others say of it. */
struct dump_line {
	const struct trace_event *event;
	const struct device_time *device; /* NULL: none */
	const char *operator;		  /* that it belongs to; NULL: none */
};

void dump_jsonl(struct out *o, const struct dump_line *line);
void dump_text(struct out *o, const struct dump_line *line);

/* The same of calls that were dropped, which stand where they would have stood. */
void dump_lost_jsonl(struct out *o, const struct trace_lost *lost);
void dump_lost_text(struct out *o, const struct trace_lost *lost);

void dump_text_head(struct out *o);
