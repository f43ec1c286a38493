#include "analysis/trace/pending.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/table.h"

/*
 * Neighbouring events stay together in stretches: they come one after the other, and what is read of memory ahead is used. Where that
 * of another stretch stands in the way the place is looked for in the next stretch, of which most are free, and not behind it.
 */
#define STRETCH 256
#define STEP	(STRETCH + 1)	      /* odd: it comes by all places */
#define STEPS	0xff00ff00ff00ff01ull /* times this, a distance is so many steps */

static inline size_t slot_of(const struct pending *p, uint64_t event)
{
	uint64_t stretch = event / STRETCH * p->multiplier >> 20; /* begins anywhere: addresses are all multiples of it */

	return (size_t)(stretch + event % STRETCH) & (p->size - 1);
}

static inline size_t place(const struct pending *p, uint64_t event)
{
	size_t i = slot_of(p, event);

	while (p->list[i].used && p->list[i].event != event)
		i = (i + STEP) & (p->size - 1);
	return i;
}

static void grow(struct pending *p)
{
	struct pending old = *p;

	p->multiplier = table_multiplier();
	p->size = old.size ? 2 * old.size : 64;
	p->list = alloc_zero(p->size, sizeof(*p->list));
	for (size_t i = 0; i < old.size; i++) {
		if (old.list[i].used)
			p->list[place(p, old.list[i].event)] = old.list[i];
	}
	free(old.list);
}

void pending_put_time(struct pending *p, const struct pending_time *time)
{
	struct pending_time *t;

	if (2 * (p->count + 1) > p->size)
		grow(p);
	t = &p->list[place(p, time->event)];
	p->count += !t->used;
	*t = *time;
	t->used = true;
}

void pending_put(struct pending *p, const struct trace_device *dev)
{
	struct pending_time time = { .event = DEVICE_REF(dev->ring, dev->hook, dev->slot), .stream = dev->stream };

	time.begin_ns = dev->begin_ns;
	time.duration_ns = dev->duration_ns;
	pending_put_time(p, &time);
}

/* Those behind the gap that would not be found any more move up. */
static void close_gap(struct pending *p, size_t gap)
{
	size_t mask = p->size - 1;

	for (size_t i = (gap + STEP) & mask; p->list[i].used; i = (i + STEP) & mask) {
		size_t from = slot_of(p, p->list[i].event);

		if (((i - from) * STEPS & mask) < ((i - gap) * STEPS & mask))
			continue;
		p->list[gap] = p->list[i];
		gap = i;
	}
	p->list[gap].used = false;
}

bool pending_take_kept(struct pending *p, uint64_t event, struct pending_time *found)
{
	size_t i = place(p, event);

	if (!p->list[i].used)
		return false;
	*found = p->list[i];
	p->count--;
	close_gap(p, i);
	return true;
}

size_t pending_forget(struct pending *p)
{
	size_t forgotten = p->count;

	pending_free(p);
	return forgotten;
}

void pending_free(struct pending *p)
{
	free(p->list);
	*p = (struct pending){ 0 };
}
