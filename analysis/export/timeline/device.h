/* device.h - what a process's device did, in a time line: a track a stream. */
#pragma once
#include "analysis/export/timeline/line_writer.h"
#include "analysis/export/device_steps.h"

struct device_tracks {
	struct line_writer *writer;
	const struct export *export;
	uint32_t pid;
	struct table streams; /* struct lanes by stream */
	struct sorter sorter; /* struct trace_device by begin */
	struct device_steps steps;
};

void device_tracks_init(struct device_tracks *t, struct line_writer *writer, const struct export *export);
void device_tracks_begin(struct device_tracks *t, uint32_t pid, const struct process *p);

void device_tracks_take(struct device_tracks *t, const struct trace_device *dev);
void device_tracks_end(struct device_tracks *t);
void device_tracks_free(struct device_tracks *t);
