#include "analysis/export/timeline/ranges.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/export/timeline/categories.h"
#include "analysis/export/timeline/lanes.h"

#define WINDOW 16384 /* ranges: what ends so much later than others begin is only on another lane */

static struct lane *lane_of(struct range_tracks *t, const struct range *range)
{
	const struct marker *m = range->marker;
	struct lanes *lanes = table_put(&t->domains, m ? m->def.domain : 0);
	bool fresh;
	struct lane *lane = lanes_free(lanes, range->begin, &fresh);
	char title[128], number[24] = "";

	if (!fresh)
		return lane;
	if (lanes->count > 1)
		snprintf(number, sizeof(number), " (%zu)", lanes->count);
	snprintf(title, sizeof(title), m && m->domain ? "ranges: %.80s%s" : "ranges%.0s%s", m && m->domain ? m->domain : "", number);
	lane->track = line_track(t->writer, t->pid, title, -1);
	return lane;
}

static const char *title_of(const struct marker *m)
{
	if (m && m->communication)
		return m->communication->op;
	return m && m->message ? m->message : "range";
}

static void put_range(void *context, const void *item)
{
	struct range_tracks *t = context;
	const struct range *range = item;
	uint64_t end = range_end(range, t->last);
	struct lane *lane = lane_of(t, range);
	struct field fields[EVENT_FIELDS_MAX];

	lane->end = end;
	t->writer->format->slice(t->writer, t->pid, lane->track, title_of(range->marker), ANNOTATION, range->begin, end - range->begin);
	line_step(t->writer, range->step);
	line_fields(t->writer, fields, event_fields_of_marker(range->marker, fields));
	if (!range->ended)
		t->writer->format->truth(t->writer, "ended", false);
	t->writer->format->close(t->writer);
}

static void take_range(void *context, const struct range *range)
{
	struct range_tracks *t = context;

	if (choice_has_step(t->choice, range->step))
		sorter_push(&t->sorter, range->begin, UINT64_MAX - (range->ended ? range->end - range->begin : 0), range);
}

void range_tracks_init(struct range_tracks *t, struct line_writer *writer, const struct choice *choice)
{
	t->choice = choice;
	t->writer = writer;
	sorter_init(&t->sorter, sizeof(struct range), WINDOW, put_range, t);
}

void range_tracks_begin(struct range_tracks *t, uint32_t pid)
{
	t->pid = pid;
	t->last = 0;
	t->ranges = RANGES(take_range, t);
	t->domains = TABLE(struct lanes);
}

void range_tracks_end(struct range_tracks *t)
{
	ranges_finish(&t->ranges);
	sorter_flush(&t->sorter);
	for (size_t i = 0; i < t->domains.count; i++)
		free(((struct lanes *)table_item(&t->domains, i))->list);
	table_free(&t->domains);
}

void range_tracks_free(struct range_tracks *t)
{
	sorter_free(&t->sorter);
}
