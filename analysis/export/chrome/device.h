/* device.h - what a process's device did, in Chrome's trace format: a track a stream. */
#pragma once
#include "analysis/export/chrome/records.h"
#include "analysis/trace/choice.h"
#include "analysis/trace/position_map.h"
#include "analysis/trace/trace.h"
#include "analysis/util/sorter.h"

struct device_tracks {
	struct records *records;
	const struct choice *choice;
	uint32_t pid;
	uint64_t stepless;	       /* device times whose step was forgotten */
	struct table streams;	       /* struct lanes by stream */
	struct sorter sorter;	       /* struct trace_device by begin */
	struct table ends;	       /* uint64_t by ring (16 bits): the position behind its last event */
	uint64_t *end;		       /* of the ring that is read now */
	struct position_map positions; /* from which position on a ring is in which step: device times come later */
};

void device_tracks_init(struct device_tracks *t, struct records *records, const struct choice *choice);
void device_tracks_begin(struct device_tracks *t, uint32_t pid);

#define STEP_LEFT_OUT (STEP_NULL + 1) /* in place of a step: what belongs to it is not shown */

/* From this position on events of the ring belong to the step. */
void device_tracks_step(struct device_tracks *t, uint32_t ring, uint64_t position, int64_t step);

/* An event was there. */
static inline void device_tracks_pass(struct device_tracks *t, const struct trace_event *ev)
{
	*t->end = ev->slot + 1;
}

void device_tracks_take(struct device_tracks *t, const struct trace_device *dev);
void device_tracks_end(struct device_tracks *t);
void device_tracks_free(struct device_tracks *t);
