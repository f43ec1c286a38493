#include "agent/record/record.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"

/* ---- slots, the long way ---- */

struct writing {
	struct producer *p;
	struct ring_header *ring;
	uint64_t next; /* position of the next slot */
};

/* False: there is no room. Ends with end_writing() in any case. */
static bool begin_writing(struct writing *w, struct producer *p)
{
	p->inside = record_inside(p->inside) | INSIDE_WRITING;
	record_barrier();
	w->p = p;
	w->ring = p->ring;
	w->next = atomic_load_explicit(&p->ring->head, memory_order_relaxed);
	return w->next + SLOTS_AT_MOST <=
	       atomic_load_explicit(&p->ring->tail, memory_order_acquire) + p->ring->slots;
}

static void end_writing(struct writing *w)
{
	atomic_store_explicit(&w->ring->head, w->next, memory_order_release);
	producer_set_position(w->p, w->next);
	record_barrier();
}

static void put(struct writing *w, const struct event *e)
{
	ring_slots(w->ring)[w->next++ & (w->ring->slots - 1)] = *e;
}

static void put_control(struct writing *w, enum control control, uint64_t key)
{
	put(w, &(struct event){ .hook = control, .key = key, .begin = clock_ticks() });
}

static void count_dropped(struct ring_header *r, const struct call *c)
{
	record_count(&r->dropped);
	if (!r->lost++)
		r->lost_since = c->event.begin;
}

static void put_lost(struct writing *w)
{
	put(w, &(struct event){ .hook = CTRL_LOST,
				.key = w->ring->lost,
				.begin = w->ring->lost_since,
				.arg = clock_ticks() });
	w->ring->lost = 0;
}

/* A ring that changed hands says so in front of the new owner's first event, together with its epoch. */
static void put_context(struct writing *w, uint32_t epoch)
{
	if (!w->p->epoch)
		put_control(w, CTRL_THREAD, atomic_load(&w->ring->tid));
	put_control(w, CTRL_STEP, epoch);
	w->p->epoch = epoch;
}

static void put_event(struct writing *w, struct call *c, uint64_t ticks)
{
	if (w->p->epoch != gate_epoch(c->word))
		put_context(w, gate_epoch(c->word));
	if (w->ring->lost)
		put_lost(w);
	c->slot = w->next;
	put(w, &c->event);
	if (c->event.duration == UINT32_MAX)
		put_control(w, CTRL_LONG, ticks);
	if (c->result)
		put_control(w, CTRL_RESULT, (uint64_t)c->result);
	if (c->second)
		put_control(w, CTRL_ADDRESS, c->second);
	if (c->items)
		put_control(w, CTRL_ITEMS, c->items);
	if (c->nested)
		put_control(w, CTRL_NESTED, 0);
}

/* May calls go the short way under this word? It knows neither device events nor a slow clock. */
static bool short_way(const struct producer *p, uint64_t word)
{
	return p->launches && word & GATE_KIND_LAUNCH && !(settings.contents & CONTENT_DEVICE) && clock_is_raw();
}

/* The outermost call has looked at everything that a word stands for: those after it need not. */
static void leave(struct producer *p, const struct call *c)
{
	p->inside = record_inside(c->inside);
	if (p->inside & INSIDE_KINDS || p->epoch != gate_epoch(c->word))
		return;
	p->word = c->word;
	record_barrier();
	if (short_way(p, c->word))
		p->ready = c->word;
}

void record_write_slowly(struct call *c)
{
	struct producer *p = &producer;
	uint64_t ticks = c->slot;
	struct writing w;

	if (!gate_load()) { /* forked inside the call: the ring is the parent's */
		c->recording = false;
		return;
	}
	if (c->inside & INSIDE_WRITING) { /* we are a signal handler on top of a half-written slot */
		record_count(&p->ring->dropped);
		c->recording = false;
		return;
	}
	c->recording = begin_writing(&w, p);
	if (c->recording)
		put_event(&w, c, ticks);
	else
		count_dropped(p->ring, c);
	end_writing(&w);
	leave(p, c);
}

/*
 * What record_skipped_begin() returns, in the one byte that struct call has left for it: with a struct of two members
 * every recorded call took some ten instructions more.
 */
#define SKIPPED_IN_RING 0x80 /* the ring says that the thread is in this call, which is the outermost */
#define SKIPPED		0x40 /* and producer.left_out before it: there is no ring, or a call around this one stands there */
_Static_assert(EV_KINDS < SKIPPED, "room for a kind + 1");

uint8_t record_skipped_begin(unsigned int hook, unsigned int kind)
{
	struct producer *p = &producer;
	uint8_t around = p->left_out;

	p->left_out = (uint8_t)(kind + 1);
	if (!p->ring || p->generation != session_generation || atomic_load_explicit(&p->ring->call_hook, memory_order_relaxed))
		return around | SKIPPED;
	atomic_store_explicit(&p->ring->call_begin, clock_ticks(), memory_order_relaxed);
	atomic_store_explicit(&p->ring->call_hook, (hook + 1) | CALL_LEFT_OUT, memory_order_relaxed);
	return SKIPPED_IN_RING;
}

void record_skipped_end(uint8_t left_out)
{
	if (left_out != SKIPPED_IN_RING) {
		producer.left_out = left_out & ~SKIPPED;
		return;
	}
	producer.left_out = 0;
	if (gate_load()) /* forked inside the call: the ring is the parent's */
		atomic_store_explicit(&producer.ring->call_hook, 0, memory_order_relaxed);
}

bool record_control(const struct event *slot, const struct event *follow)
{
	struct producer *p = &producer;
	uint32_t inside = p->inside;
	struct writing w;
	bool room;

	if (inside & (INSIDE_WRITING | INSIDE_AGENT))
		return false;
	if (!p->ring || p->generation != session_generation) {
		if (!producer_prepare())
			return false;
		inside = p->inside;
	}
	room = begin_writing(&w, p);
	if (room)
		put(&w, slot);
	if (room && follow)
		put(&w, follow);
	end_writing(&w);
	p->inside = inside;
	return room;
}

#define UA_CLEANUP_PHASE    2 /* of the unwinder's interface; the phase before only looks for who catches */
#define URC_CONTINUE_UNWIND 8

/* Whoever catches may be a callback inside another call of ours: for the rest of that one we know less. */
int record_unwound(int version, int actions, uint64_t class, void *exception, void *context)
{
	struct producer *p = &producer;

	(void)version, (void)class, (void)exception, (void)context;
	if (!(actions & UA_CLEANUP_PHASE))
		return URC_CONTINUE_UNWIND;
	p->inside = INSIDE;
	p->left_out = 0;
	if (gate_load() && p->ring && p->generation == session_generation)
		atomic_store_explicit(&p->ring->call_hook, 0, memory_order_relaxed);
	return URC_CONTINUE_UNWIND;
}
