#include "analysis/export/chrome/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/export/chrome/lanes.h"
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
	lane->track = records_track(t->records, t->pid, title, stream);
	return lane;
}

/* Of the call that asked for the work; STEP_NULL also where it was not read yet. */
static int64_t step_of(struct device_tracks *t, const struct trace_device *dev)
{
	const uint64_t *end = table_find(&t->ends, dev->ring);
	const struct mapped_position *found;

	if (!end || (int32_t)(dev->slot - (uint32_t)*end) >= 0)
		return STEP_NULL;
	found = position_map_find(&t->positions, dev->ring, dev->slot);
	t->stepless += !found && t->positions.forgotten;
	return found ? (int64_t)found->value : STEP_NULL;
}

static void put_device(void *context, const void *item)
{
	const struct trace_device *dev = item;
	struct device_tracks *t = context;
	int64_t step = step_of(t, dev);
	bool first = true;
	struct lane *lane;
	uint64_t begin;

	if (step == STEP_LEFT_OUT || !choice_has_step(t->choice, step))
		return;
	lane = free_lane(t, dev->stream, dev->begin_ns);
	begin = dev->begin_ns > lane->end ? dev->begin_ns : lane->end;
	lane->end = begin + dev->duration_ns;
	records_slice(t->records, t->pid, lane->track, dev->launch && dev->launch->name ? dev->launch->name : dev->name,
		      kind_words[dev->kind], begin, dev->duration_ns);
	records_step(t->records, &first, step);
	records_launch(t->records, &first, dev->launch);
	records_argument(t->records, &first, "entry_point");
	out_json_plain(t->records->out, dev->name);
	out_text(t->records->out, "}}");
}

void device_tracks_init(struct device_tracks *t, struct records *records, const struct choice *choice)
{
	t->records = records;
	t->choice = choice;
	sorter_init(&t->sorter, sizeof(struct trace_device), SORTER_WINDOW, put_device, t);
}

void device_tracks_begin(struct device_tracks *t, uint32_t pid)
{
	t->pid = pid;
	t->streams = TABLE(struct lanes);
	t->ends = TABLE(uint64_t);
	t->positions = POSITION_MAP(0);
}

void device_tracks_step(struct device_tracks *t, uint32_t ring, uint64_t position, int64_t step)
{
	t->end = table_put(&t->ends, ring & UINT16_MAX);
	if (position > *t->end) /* lost: of no step that is known */
		position_map_put(&t->positions, ring, *t->end, (uint64_t)STEP_NULL);
	position_map_put(&t->positions, ring, position, (uint64_t)step);
}

void device_tracks_take(struct device_tracks *t, const struct trace_device *dev)
{
	sorter_push(&t->sorter, dev->begin_ns, UINT64_MAX - dev->duration_ns, dev);
}

void device_tracks_end(struct device_tracks *t)
{
	sorter_flush(&t->sorter);
	if (t->stepless)
		fprintf(stderr, "ranktrace: %" PRIu64 " device times stand too far from their calls to be told of which step they are\n",
			t->stepless);
	t->stepless = 0;
	for (size_t i = 0; i < t->streams.count; i++)
		free(((struct lanes *)table_item(&t->streams, i))->list);
	table_free(&t->streams);
	table_free(&t->ends);
	position_map_free(&t->positions);
}

void device_tracks_free(struct device_tracks *t)
{
	sorter_free(&t->sorter);
}
