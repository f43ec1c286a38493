/* ranges.h - ranges and marks of a process, by domain and name, for the report. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/trace/ranges.h"

struct range_rows {
	struct ranges ranges;
	struct table rows;	       /* struct range_row by message and domain */
	const struct selection *asked; /* steps */
};

void range_rows_begin(struct range_rows *r, const struct selection *asked);
void range_rows_take(struct range_rows *r, const struct trace_event *ev);
void range_rows_end(struct range_rows *r, struct report *report);
void range_rows_free(struct report *report);

void ranges_text(struct out *o, const struct report *reports, size_t count, size_t top);
void ranges_json(struct out *o, const struct report *r);
