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

/* In a ring, and of windows that come later: the next file tells of them. */
static uint64_t events_before(struct ring_header *r, uint64_t head)
{
	uint64_t events = 0;

	for (uint64_t at = atomic_load_explicit(&r->tail, memory_order_relaxed); at < head; at++)
		events += ring_slots(r)[at % r->slots].hook < CTRL_FIRST;
	return events;
}

#define TRIES 1000 /* a call takes longer than these are read in */

struct counts {
	uint64_t entered, dropped, waiting; /* waiting: events of later windows */
	bool inside;			    /* a call that began before the window ended has not returned */
};

/* All as they were at one moment. */
static struct counts ring_counts(struct ring_header *r, uint64_t window_end)
{
	struct counts c;
	uint64_t head, call;
	int tries = TRIES;

	do {
		c.entered = atomic_load(&r->entered);
		c.dropped = atomic_load(&r->dropped);
		head = atomic_load(&r->head);
		call = atomic_load(&r->call_hook);
		c.inside = call && !(call & CALL_LEFT_OUT) && atomic_load(&r->call_begin) < window_end;
	} while (atomic_load(&r->entered) != c.entered && --tries);
	c.waiting = events_before(r, head);
	return c;
}

/*
 * The counters run on for ever: what is not in this file is in the next. So are calls under way, but for those that this window's
 * end has found inside.
 */
struct totals totals_take(uint64_t window_end)
{
	uint64_t no_ring = atomic_load(&session->no_ring), kept = atomic_load(&session->kept);
	uint64_t discarded = atomic_load(&session->discarded);
	struct totals t = { .number = atomic_load(&session->ended) + 1 };
	int64_t later = -(int64_t)(kept + discarded);

	for (unsigned int i = 0; i < rings_count(); i++) {
		struct ring_header *r = rings_at(i);
		struct counts c;

		if (!r)
			continue;
		c = ring_counts(r, window_end);
		later += (int64_t)(c.entered - c.dropped - c.waiting) - c.inside;
		take(&t, r->base, (struct file_base){ c.entered - c.waiting, c.dropped });
	}
	if (later < 0 || window_end == WINDOW_AT_EXIT)
		later = 0;
	take(&t, session->base, (struct file_base){ no_ring - (uint64_t)later, no_ring + discarded });
	return t;
}
