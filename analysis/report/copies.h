/* copies.h - how much was copied which way, or filled, and how long that took. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/trace/position_map.h"

struct copy_row {
	uint64_t count, bytes, host_ns, device_ns, timed;
	uint64_t blocking, blocking_bytes; /* of these: in no stream, so that the call lasts as long as the copy */
};

#define COPIES_FILLS DIR_COUNT /* their row, behind those of the directions */
#define COPIES_ROWS  (DIR_COUNT + 1)

struct copies { /* what the section keeps */
	struct copy_row rows[COPIES_ROWS];
	struct position_map places; /* their row, or that none counts them: where device times belong */
};

/* Is an event of this kind one of them? */
static inline bool copies_have(enum event_kind kind)
{
	return kind == EV_COPY || kind == EV_FILL;
}

/* Notes where a copy or fill is; of any step. */
void copies_place(struct copies *c, const struct trace_event *ev);

/* Counts one that was not nested and did not fail. */
void copies_take(struct copies *c, const struct trace_event *ev);

/* The device time of one that was there. False: where it was has been forgotten. */
bool copies_time(struct copies *c, const struct trace_device *dev);
