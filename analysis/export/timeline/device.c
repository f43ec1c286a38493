#include "analysis/export/timeline/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/export/timeline/lanes.h"
#include "analysis/trace/words.h"

/* Durations are the device's own, beginnings were converted: neighbours may cross by rounding. */
#define ROUNDING 100u /* ns */

static struct lane *free_lane(struct device_tracks *t, uint16_t stream, uint64_t begin)
{
	struct lanes *lanes = table_put(&t->streams, stream);
	bool fresh;
	struct lane *lane = lanes_free(lanes, begin + ROUNDING, &fresh);
	char title[48];

	if (!fresh)
		return lane;
	snprintf(title, sizeof(title), lanes->count > 1 ? "stream %u (%zu)" : "stream %u", stream, lanes->count);
	lane->track = line_track(t->writer, t->pid, title, stream);
	return lane;
}

static void put_device(void *context, const void *item)
{
	const struct trace_device *dev = item;
	struct device_tracks *t = context;
	int64_t step = device_steps_of(&t->steps, t->export, dev);
	struct lane *lane;
	uint64_t begin;

	if (step == STEP_LEFT_OUT)
		return;
	lane = free_lane(t, dev->stream, dev->begin_ns);
	begin = dev->begin_ns > lane->end ? dev->begin_ns : lane->end;
	lane->end = begin + dev->duration_ns;
	t->writer->format->slice(t->writer, t->pid, lane->track, dev->launch && dev->launch->name ? dev->launch->name : dev->name,
				 kind_words[dev->kind], begin, dev->duration_ns);
	line_step(t->writer, step);
	line_launch(t->writer, dev->launch);
	t->writer->format->text(t->writer, "entry_point", dev->name);
	t->writer->format->close(t->writer);
}

void device_tracks_init(struct device_tracks *t, struct line_writer *writer, const struct export *export)
{
	t->writer = writer;
	t->export = export;
	sorter_init(&t->sorter, sizeof(struct trace_device), SORTER_WINDOW, put_device, t);
}

void device_tracks_begin(struct device_tracks *t, uint32_t pid, const struct process *p)
{
	t->pid = pid;
	t->streams = TABLE(struct lanes);
	device_steps_begin(&t->steps, p);
}

void device_tracks_take(struct device_tracks *t, const struct trace_device *dev)
{
	sorter_push(&t->sorter, dev->begin_ns, UINT64_MAX - dev->duration_ns, dev);
}

void device_tracks_end(struct device_tracks *t)
{
	sorter_flush(&t->sorter);
	device_steps_end(&t->steps);
	for (size_t i = 0; i < t->streams.count; i++)
		free(((struct lanes *)table_item(&t->streams, i))->list);
	table_free(&t->streams);
}

void device_tracks_free(struct device_tracks *t)
{
	sorter_free(&t->sorter);
}
