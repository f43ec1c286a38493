#include "agent/record/ring_write.h"
#include "agent/record/record.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"

bool (*ring_write_stack)(const struct event *call, struct event *slot);

struct writing {
	struct producer *p;
	struct ring_header *ring;
	uint64_t next; /* position of the next slot */
};

static bool has_room(struct writing *w)
{
	w->ring = w->p->ring;
	w->next = atomic_load_explicit(&w->ring->head, memory_order_relaxed);
	return w->next + SLOTS_AT_MOST <= atomic_load_explicit(&w->ring->tail, memory_order_acquire) + w->ring->slots;
}

/* False: there is no room, nor another ring. Ends with end_writing() in any case. */
static bool begin_writing(struct writing *w, struct producer *p)
{
	p->inside = record_inside(p->inside) | INSIDE_WRITING;
	record_barrier();
	w->p = p;
	return has_room(w) || (producer_next_ring() && has_room(w));
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
	if (!atomic_load_explicit(&r->lost, memory_order_relaxed))
		atomic_store_explicit(&r->lost_since, c->event.begin, memory_order_relaxed);
	atomic_store_explicit(&r->lost_until, c->event.begin, memory_order_relaxed);
	if (!atomic_fetch_add(&r->lost, 1)) /* the flush thread may have told of the others meanwhile */
		atomic_store_explicit(&r->lost_since, c->event.begin, memory_order_relaxed);
}

/* Unless the flush thread has told of them. */
static void put_lost(struct writing *w)
{
	uint64_t lost = atomic_exchange(&w->ring->lost, 0);

	if (lost)
		put(w, &(struct event){ .hook = CTRL_LOST,
					.key = lost,
					.begin = atomic_load(&w->ring->lost_since),
					.arg = atomic_load(&w->ring->lost_until) });
}

/* A ring that changed hands says so in front of the new owner's first event, together with its epoch. */
static void put_context(struct writing *w, uint32_t epoch)
{
	if (!w->p->epoch)
		put_control(w, CTRL_THREAD, atomic_load(&w->ring->tid));
	put_control(w, CTRL_STEP, epoch);
	w->p->epoch = epoch;
}

/* stack: a CTRL_STACK slot, or one of hook 0. */
static void put_event(struct writing *w, struct call *c, uint64_t ticks, const struct event *stack)
{
	if (w->p->epoch != gate_epoch(c->word))
		put_context(w, gate_epoch(c->word));
	if (atomic_load_explicit(&w->ring->lost, memory_order_relaxed))
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
	if (c->captured)
		put_control(w, CTRL_CAPTURED, 0);
	if (c->has_totals)
		put(w, &(struct event){ .hook = CTRL_TOTALS, .key = c->allocated, .arg = c->reserved, .begin = clock_ticks() });
	if (stack->hook)
		put(w, stack);
}

/* May calls go the short way under this word? It knows neither device events nor a slow clock, nor who wants launches to look at the time. */
static bool short_way(const struct producer *p, uint64_t word)
{
	return p->launches && word & GATE_KIND_LAUNCH && !(word & (GATE_TIMES | GATE_TIME | GATE_STACKS)) && clock_is_raw();
}

/* The outermost call has looked at everything that a word stands for: those after it need not. */
static void leave(struct producer *p, const struct call *c)
{
	p->inside = record_inside(c->inside);
	if (p->inside & INSIDE_KINDS || p->epoch != gate_epoch(c->word))
		return;
	p->word = c->word & GATE_STACKS ? 0 : c->word; /* none has time to ask for a stack but those that come here */
	record_barrier();
	if (short_way(p, c->word))
		p->ready = c->word;
}

/* Who sees that a duration has no room in a slot does not ask further: here it is told from one that is negative, which is 0. */
static uint64_t long_ticks(struct call *c)
{
	uint64_t ticks = clock_passed(c->slot);

	if (c->event.duration == UINT32_MAX && ticks < UINT32_MAX)
		c->event.duration = (uint32_t)ticks;
	return ticks;
}

void ring_write_event(struct call *c)
{
	struct producer *p = &producer;
	uint64_t ticks = long_ticks(c);
	struct event stack = { .hook = 0 };
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
	if (UNLIKELY(c->word & GATE_STACKS)) {
		/* Begins where the event ends, and takes no time: next to nothing in a file. */
		stack.begin = c->event.begin + c->event.duration;
		stack.hook = ring_write_stack(&c->event, &stack) ? CTRL_STACK : 0;
	}
	c->recording = begin_writing(&w, p);
	if (c->recording)
		put_event(&w, c, ticks, &stack);
	else
		count_dropped(p->ring, c);
	end_writing(&w);
	leave(p, c);
}

/* Between two calls, in a window that began since the last slot: what is written now is not of the window before. */
static bool has_moved_on(const struct producer *p, uint32_t inside)
{
	uint64_t word = gate_acquire();

	return UNLIKELY(gate_epoch(word) != p->epoch) && (uint32_t)word & GATE_WINDOW && !(record_inside(inside) & INSIDE_KINDS);
}

bool ring_write_control(const struct event *slot, const struct event *follow)
{
	struct producer *p = &producer;
	uint32_t inside = p->inside;
	struct writing w;
	bool room, moved_on;

	if (inside & (INSIDE_WRITING | INSIDE_AGENT))
		return false;
	if (!p->ring || p->generation != session_generation) {
		if (!producer_prepare())
			return false;
		inside = p->inside;
	}
	moved_on = has_moved_on(p, inside);
	room = begin_writing(&w, p);
	if (room && moved_on) {
		put_context(&w, gate_epoch(gate_load()));
		inside = INSIDE; /* no word that is known any more */
	}
	if (room)
		put(&w, slot);
	if (room && follow)
		put(&w, follow);
	end_writing(&w);
	p->inside = inside;
	return room;
}
