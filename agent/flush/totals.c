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
static uint64_t events_waiting(struct ring_header *r)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_acquire), events = 0;

	for (uint64_t at = atomic_load_explicit(&r->tail, memory_order_relaxed); at < head; at++)
		events += ring_slots(r)[at % r->slots].hook < CTRL_FIRST;
	return events;
}

/* The events that wait are looked for first: each of them has been counted as entered. */
static struct file_base ring_counts(struct ring_header *r)
{
	uint64_t later = events_waiting(r);

	return (struct file_base){ atomic_load(&r->entered) - later, atomic_load(&r->dropped) };
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
