/* timeline.h - what a time line shows of a trace, whatever format it is written in. An exporter of such a format has these functions. */
#pragma once
#include "analysis/export/exporter.h"
#include "analysis/export/timeline/line_writer.h"

void timeline_begin(struct export *e, const struct line_format *format);
void timeline_process(struct export *e, struct process *p);
void timeline_event(struct export *e, const struct trace_event *ev);
void timeline_process_end(struct export *e, struct process *p);
void timeline_turn(struct export *e);
void timeline_end(struct export *e);

/* The exporter's visitor is a copy of this one. */
#define TIMELINE_VISITOR                                                                                                              \
	{                                                                                                                             \
		.event = timeline_take_event, .device = timeline_take_device, .lost = timeline_take_lost, .step = timeline_take_step, \
		.piece = timeline_take_piece                                                                                          \
	}
void timeline_take_event(void *context, const struct trace_event *ev);
void timeline_take_device(void *context, const struct trace_device *dev);
void timeline_take_piece(void *context, const struct trace_piece *piece);
void timeline_take_lost(void *context, const struct trace_lost *lost);
void timeline_take_step(void *context, uint32_t ring, uint64_t position, uint32_t epoch);
