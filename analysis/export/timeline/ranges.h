/* ranges.h - ranges of markers as slices on tracks of their own, one a domain or more. */
#pragma once
#include "analysis/export/timeline/line_writer.h"
#include "analysis/trace/choice.h"
#include "analysis/trace/ranges.h"
#include "analysis/util/sorter.h"

struct range_tracks {
	struct line_writer *writer;
	const struct choice *choice;
	uint32_t pid;
	uint64_t last; /* ns; the end of the process's last event: there an open range ends */
	struct ranges ranges;
	struct sorter sorter; /* struct range by begin */
	struct table domains; /* struct lanes by domain */
};

void range_tracks_init(struct range_tracks *t, struct line_writer *writer, const struct choice *choice);
void range_tracks_begin(struct range_tracks *t, uint32_t pid);

static inline void range_tracks_take(struct range_tracks *t, const struct trace_event *ev)
{
	if (ev->begin_ns + ev->duration_ns > t->last)
		t->last = ev->begin_ns + ev->duration_ns;
	if (ev->kind == EV_MARKER)
		ranges_take(&t->ranges, ev);
}

void range_tracks_end(struct range_tracks *t);
void range_tracks_free(struct range_tracks *t);
