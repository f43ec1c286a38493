#include "agent/flush/totals.h"
#include "agent/format/event.h"
#include "agent/record/rings.h"
#include "agent/session/session.h"

struct file_base *totals_base(struct file_base base[2])
{
	return &base[atomic_load_explicit(&session->ended, memory_order_relaxed) & 1];
}

static void take(struct totals *t, struct file_base base[2], struct file_base now)
{
	t->all.entered += now.entered;
	t->all.dropped += now.dropped;
	t->entered += now.entered - totals_base(base)->entered;
	t->dropped += now.dropped - totals_base(base)->dropped;
	base[t->number & 1] = now;
}

/* Events of windows that come later: the next file tells of them. */
static uint64_t events_before(struct ring_header *r, uint64_t head)
{
	uint64_t events = 0;

	for (uint64_t at = atomic_load_explicit(&r->tail, memory_order_relaxed); at < head; at++)
		events += ring_slots(r)[at % r->slots].hook < CTRL_FIRST;
	return events;
}

#define TRIES 1000 /* a call takes longer than these are read in */

/* All as they were at one moment: a call in between would count for this file, and its event for the next. */
static struct file_base ring_counts(struct ring_header *r)
{
	uint64_t entered, dropped, head;
	int tries = TRIES;

	do {
		entered = atomic_load(&r->entered);
		dropped = atomic_load(&r->dropped);
		head = atomic_load(&r->head);
	} while (atomic_load(&r->entered) != entered && --tries);
	return (struct file_base){ entered - events_before(r, head), dropped };
}

/* The counters run on for ever: what is not in this file is in the next. */
struct totals totals_take(void)
{
	uint64_t no_ring = atomic_load(&session->no_ring);
	struct totals t = { .number = atomic_load(&session->ended) + 1 };

	take(&t, session->base, (struct file_base){ no_ring, no_ring + atomic_load(&session->discarded) });
	for (unsigned int i = 0; i < rings_count(); i++) {
		struct ring_header *r = rings_at(i);

		if (r)
			take(&t, r->base, ring_counts(r));
	}
	return t;
}
