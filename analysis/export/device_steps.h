/*
 * device_steps.h - in which step the call was made whose device time comes: for exporters, which hear of the one long after the other.
 */
#pragma once
#include "analysis/export/exporter.h"
#include "analysis/trace/position_map.h"

#define STEP_LEFT_OUT (STEP_NULL + 1) /* in place of a step: what belongs to it is not shown */

struct device_steps {
	const struct process *process;
	struct table ends;	       /* uint64_t by ring (16 bits): the position behind its last event */
	uint64_t *end;		       /* of the ring that is read now */
	struct position_map positions; /* from which position on a ring is in which step */
	uint64_t stepless;	       /* device times whose step was forgotten */
};

void device_steps_begin(struct device_steps *d, const struct process *p);

/* From this position on events of the ring belong to this epoch. */
void device_steps_take(struct device_steps *d, const struct export *e, uint32_t ring, uint64_t position, uint32_t epoch);

/* An event was there. */
static inline void device_steps_pass(struct device_steps *d, const struct trace_event *ev)
{
	*d->end = ev->slot + 1;
}

/* STEP_NULL: in none, or its call was not read yet; STEP_LEFT_OUT: it is not wanted. */
int64_t device_steps_of(struct device_steps *d, const struct export *e, const struct trace_device *dev);

/* Says on stderr of how many the step was forgotten; of parts of a process the first one does. */
void device_steps_end(struct device_steps *d, const struct export *e);
