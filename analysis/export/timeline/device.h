/* device.h - what a process's devices did, in a time line: a track a stream. */
#pragma once
#include "analysis/export/device_steps.h"
#include "analysis/export/timeline/calls.h"
#include "analysis/export/timeline/in_flight.h"
#include "analysis/export/timeline/line_writer.h"

struct device_tracks {
	struct line_writer *writer;
	const struct export *export;
	const struct process *process;
	bool wanted;	      /* there may be device times */
	uint32_t host, pid;   /* host: pid of the host's side; pid: of all devices, or of the first one */
	struct table devices; /* bool by pid: it has its name */
	struct table streams; /* struct lanes by stream */
	struct table whole;   /* collectives that have a device time: bool by call_id() */
	struct sorter sorter; /* struct trace_device by begin */
	struct device_steps steps;
	struct calls calls;
	struct in_flight in_flight;
};

void device_tracks_init(struct device_tracks *t, struct line_writer *writer, const struct export *export);
void device_tracks_begin(struct device_tracks *t, uint32_t host, uint32_t pid, const struct process *p);

/* In the order of the files. */
static inline void device_tracks_call(struct device_tracks *t, const struct trace_event *ev)
{
	device_steps_pass(&t->steps, ev);
	if (t->wanted)
		calls_take(&t->calls, ev);
}
void device_tracks_take(struct device_tracks *t, const struct trace_device *dev);
void device_tracks_end(struct device_tracks *t);
void device_tracks_free(struct device_tracks *t);
