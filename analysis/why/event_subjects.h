/* event_subjects.h - which subject the time of an event is spent on: the call's, and that of its work on the device. */
#pragma once
#include "analysis/trace/trace.h"
#include "analysis/why/subjects.h"

/* Of one process: most of its events name what others named. */
struct event_subjects {
	struct subjects *all;
	struct table known; /* uint32_t subject + 1, by what an event names */
};

#define EVENT_SUBJECTS(subjects) ((struct event_subjects){ .all = (subjects), .known = TABLE(uint32_t) })

/* What the time in a call of that kind is told as. */
enum why_kind event_subjects_kind(enum event_kind kind);

uint32_t event_subjects_call(struct event_subjects *s, const struct trace_event *ev);

/* Of the work of a copy, whose direction its device time does not tell; of a collective the transfer. */
uint32_t event_subjects_copy(struct event_subjects *s, uint16_t hook, const char *name, enum copy_direction direction);
uint32_t event_subjects_collective(struct event_subjects *s, uint16_t hook, const char *name);

/* By its device time alone. */
uint32_t event_subjects_work(struct event_subjects *s, const struct trace_device *dev);
void event_subjects_free(struct event_subjects *s);
