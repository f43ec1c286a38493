#include "analysis/trace/device_join.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/trace/pending.h"
#include "analysis/trace/position_map.h"
#include "analysis/util/alloc.h"
#include "config/contents.h"

#define SPACING 1024 /* slots: the distance is known no better */

struct device_join {
	const struct visitor *outer;
	device_join_event event;
	uint64_t sequence;	       /* events and device times so far */
	bool too_late;		       /* some may come later than they are waited for */
	uint64_t delay;		       /* how far device times come behind their events */
	struct position_map positions; /* first pass: of the sequence */
	struct pending times;	       /* second pass */
	struct trace_event *queue;     /* that wait for their device times: a ring of `size` */
	uint64_t *numbers;	       /* their sequence */
	size_t size, first, last;      /* first and last count up for ever */
};

/* ---- first pass ---- */

static void count_event(void *context, const struct trace_event *ev)
{
	struct device_join *j = context;

	(void)ev;
	j->sequence++;
}

static void note_position(void *context, uint32_t ring, uint64_t position, uint32_t epoch)
{
	struct device_join *j = context;

	(void)epoch;
	position_map_put(&j->positions, ring, position, j->sequence);
}

static void measure(void *context, const struct trace_device *dev)
{
	struct device_join *j = context;
	const struct mapped_position *m = position_map_find(&j->positions, dev->ring, dev->slot);
	uint64_t behind = m ? j->sequence - m->value : 0;

	j->sequence++;
	if (behind >= j->delay)
		j->delay = behind + 1;
}

static void measure_all(struct device_join *j, struct process *p)
{
	struct visitor v = { .event = count_event, .device = measure, .step = note_position, .context = j };

	j->positions = POSITION_MAP(SPACING);
	process_events(p, &v);
	j->too_late = j->positions.forgotten || j->delay > DEVICE_JOIN_MAX;
	position_map_free(&j->positions);
	if (j->delay > DEVICE_JOIN_MAX)
		j->delay = DEVICE_JOIN_MAX;
}

/* ---- second pass ---- */

static void release(struct device_join *j)
{
	size_t at = j->first++ & (j->size - 1);
	const struct trace_event *ev = &j->queue[at];
	struct pending_time found;
	struct device_time time;

	if (!pending_take(&j->times, DEVICE_REF(ev->ring, ev->hook, ev->slot), &found)) {
		j->event(j->outer->context, ev, NULL);
		return;
	}
	time = (struct device_time){ found.begin_ns, found.duration_ns, trace_time_source(ev->process, found.stream) };
	j->event(j->outer->context, ev, &time);
}

static void release_due(struct device_join *j)
{
	while (j->first != j->last && j->numbers[j->first & (j->size - 1)] + j->delay <= j->sequence)
		release(j);
}

static void take_event(void *context, const struct trace_event *ev)
{
	struct device_join *j = context;
	size_t at = j->last++ & (j->size - 1);

	j->queue[at] = *ev;
	j->numbers[at] = j->sequence++;
	release_due(j);
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct device_join *j = context;

	pending_put(&j->times, dev);
	j->sequence++;
	release_due(j);
	if (j->outer->device)
		j->outer->device(j->outer->context, dev);
}

static void pass_piece(void *context, const struct trace_piece *piece)
{
	struct device_join *j = context;

	if (j->outer->piece)
		j->outer->piece(j->outer->context, piece);
}

static void pass_lost(void *context, const struct trace_lost *lost)
{
	struct device_join *j = context;

	if (j->outer->lost)
		j->outer->lost(j->outer->context, lost);
}

static void pass_event(void *context, const struct trace_event *ev)
{
	struct device_join *j = context;

	j->event(j->outer->context, ev, NULL);
}

/* Returns how many times found no event, though one may have been there. */
static uint64_t join_all(struct device_join *j, struct process *p)
{
	uint64_t unjoined;
	struct visitor v = { .event = take_event, .device = take_device, .piece = pass_piece, .lost = pass_lost, .context = j };

	for (j->size = 64; j->size < j->delay + 2;)
		j->size *= 2;
	j->queue = alloc_grow(NULL, j->size, sizeof(*j->queue));
	j->numbers = alloc_grow(NULL, j->size, sizeof(*j->numbers));
	j->sequence = 0;
	process_events(p, &v);
	while (j->first != j->last)
		release(j);
	unjoined = j->times.count;
	free(j->queue);
	free(j->numbers);
	pending_free(&j->times);
	return j->too_late ? unjoined : 0;
}

bool device_join_may(const struct process *p)
{
	for (size_t i = 0; i < p->defs.devices.count; i++) {
		const struct device *device = table_item(&p->defs.devices, i);

		if (device->clock_count)
			return true;
	}
	return contents_of(process_fact(p, "contents")) & CONTENT_DEVICE;
}

uint64_t device_join(struct process *p, const struct visitor *v, device_join_event event)
{
	struct device_join j = { .outer = v, .event = event };
	struct visitor plain = { .event = pass_event, .piece = pass_piece, .lost = pass_lost, .context = &j };

	if (device_join_may(p))
		measure_all(&j, p);
	if (j.delay)
		return join_all(&j, p);
	process_events(p, &plain);
	return 0;
}
