/*
 * device_join.h - every event with its device time, which stands in the file somewhere else. A first pass finds out
 * how far behind device times come; a second holds events back for so long. So the memory taken
 * depends on that distance, and not on the length of the trace.
 */
#pragma once
#include "analysis/trace/trace.h"

struct device_time {
	uint64_t begin_ns, duration_ns;
	const char *source; /* NULL: not told */
};

/* device is NULL if the event has no device time. Events come in the order of process_events(). */
typedef void (*device_join_event)(void *context, const struct trace_event *ev, const struct device_time *device);

/* Without device times nothing need be joined. */
bool device_join_may(const struct process *p);

#define DEVICE_JOIN_MAX 1048576 /* events that a device time may come behind its own */

/* As process_events(), but event is called in place of v->event. Returns how many device times came too late to be joined. */
uint64_t device_join(struct process *p, const struct visitor *v, device_join_event event);
