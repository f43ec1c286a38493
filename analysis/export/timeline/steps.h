/* steps.h - the track of steps in a time line. */
#pragma once
#include "analysis/export/timeline/line_writer.h"
#include "analysis/trace/trace.h"

struct step_track {
	struct table steps; /* struct span_of_step by epoch */
};

void step_track_begin(struct step_track *t);

/* Widens the step that the event is of, if it has one. */
void step_track_take(struct step_track *t, struct process *p, const struct trace_event *ev);

/* Writes the track: when all events are in, as a step that did not end is as long as its last event. */
void step_track_end(struct step_track *t, struct process *p, struct line_writer *writer, uint32_t pid);
