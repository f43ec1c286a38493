#include "record.h"
#include "agent.h"
#include "flush.h"
#include "quiet.h"
#include "session.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

__thread struct producer producer __attribute__((tls_model("initial-exec")));
struct gate gate;
uint32_t record_generation = 1;

static bool adopt(struct producer *p)
{
	struct ring_header *r = rings_acquire();

	if (!r)
		return false;
	p->ring = r;
	p->mask = r->slots - 1;
	p->next = atomic_load_explicit(&r->head, memory_order_acquire);
	p->limit = p->next; /* room() finds out */
	p->generation = record_generation;
	p->epoch = 0;
	p->lost = 0;
	p->lost_since = 0;
	p->unannounced = !agent_thread_has_ring();
	return true;
}

static void homeless(void)
{
	atomic_fetch_add_explicit(&session->homeless, 1, memory_order_relaxed);
}

/* The ring was taken in a signal handler. */
static void announce(struct producer *p)
{
	struct quiet quiet = quiet_begin();
	uint32_t inside = p->inside;

	p->inside |= INSIDE_AGENT;
	p->unannounced = !agent_thread_has_ring();
	p->inside = inside;
	quiet_end(quiet);
}

bool record_prepare(uint64_t word, unsigned int hook)
{
	struct producer *p = &producer;
	bool has_ring;

	(void)word, (void)hook;
	struct quiet quiet;

	if (p->inside & INSIDE_AGENT) { /* a signal handler on top of our own slow path */
		homeless();
		return false;
	}
	if (p->ring && p->generation == record_generation) {
		if (UNLIKELY(p->unannounced))
			announce(p);
		return true;
	}
	quiet = quiet_begin();
	p->inside = INSIDE_AGENT;
	has_ring = adopt(p);
	p->inside = 0;
	quiet_end(quiet);
	if (!has_ring) {
		homeless();
		session_cause(CAUSE_NO_MEMORY, ENOMEM);
	}
	return has_ring;
}

static void wake_flusher(void)
{
	int saved = errno;

	flush_wake();
	errno = saved;
}

/*
 * Is there room for n slots? Reads the flush thread's tail only when it looks as if there were none,
 * and when the ring is half full: then that thread is told, once, rather than in 20 ms.
 */
static bool room(struct producer *p, unsigned int n)
{
	uint64_t tail, end;

	if (p->next + n <= p->limit)
		return true;
	tail = atomic_load_explicit(&p->ring->tail, memory_order_acquire);
	end = tail + p->mask + 1;
	if (p->next + n <= tail + p->mask / 2) {
		p->limit = tail + p->mask / 2;
	} else if (p->limit != end) {
		p->limit = end;
		wake_flusher();
	}
	return p->next + n <= p->limit;
}

static void put(struct producer *p, const struct event *e)
{
	ring_slots(p->ring)[p->next++ & p->mask] = *e;
}

static void put_control(struct producer *p, enum control control, uint64_t key)
{
	put(p, &(struct event){ .hook = control, .key = key, .begin = clock_ticks() });
}

static void publish(struct producer *p)
{
	atomic_store_explicit(&p->ring->head, p->next, memory_order_release);
}

static void lose(struct producer *p, const struct call *c)
{
	record_count(&p->ring->dropped);
	if (!p->lost++)
		p->lost_since = c->event.begin;
}

static void put_lost(struct producer *p)
{
	put(p, &(struct event){ .hook = CTRL_LOST, .key = p->lost, .begin = p->lost_since, .arg = clock_ticks() });
	p->lost = 0;
}

/* A ring that changed hands says so in front of the new owner's first event, together with its epoch. */
static void put_context(struct producer *p, uint32_t epoch)
{
	if (!p->epoch)
		put_control(p, CTRL_THREAD, atomic_load(&p->ring->tid));
	put_control(p, CTRL_STEP, epoch);
	p->epoch = epoch;
}

#define SLOTS_AT_MOST 8 /* thread, step, lost, event, long, result, address, nested */

static void put_event(struct producer *p, struct call *c, uint64_t ticks)
{
	if (p->epoch != c->epoch)
		put_context(p, c->epoch);
	if (p->lost)
		put_lost(p);
	c->slot = p->next;
	put(p, &c->event);
	if (c->event.duration == UINT32_MAX)
		put_control(p, CTRL_LONG, ticks);
	if (c->result)
		put_control(p, CTRL_RESULT, (uint64_t)c->result);
	if (c->second)
		put_control(p, CTRL_ADDRESS, c->second);
	if (c->nested)
		put_control(p, CTRL_NESTED, 0);
}

void record_write_slowly(struct call *c)
{
	struct producer *p = &producer;
	uint64_t ticks = c->slot;

	if (!gate_load()) { /* forked inside the call: the ring is the parent's */
		c->recording = false;
		return;
	}
	if (c->inside & INSIDE_WRITING) { /* we are a signal handler on top of a half-written slot */
		record_count(&p->ring->dropped);
		c->recording = false;
		return;
	}
	p->inside |= INSIDE_WRITING;
	__asm__ volatile("" ::
				 : "memory");
	if (room(p, SLOTS_AT_MOST)) {
		put_event(p, c, ticks);
		publish(p);
	} else {
		lose(p, c);
		c->recording = false;
	}
	__asm__ volatile("" ::
				 : "memory");
	p->inside = c->inside;
}

bool record_in(unsigned int hook)
{
	struct producer *p = &producer;

	if (!p->ring || p->generation != record_generation || p->inside)
		return false;
	atomic_store_explicit(&p->ring->call_begin, clock_ticks(), memory_order_relaxed);
	atomic_store_explicit(&p->ring->call_hook, (hook + 1) | CALL_LEFT_OUT, memory_order_relaxed);
	return true;
}

void record_out(void)
{
	if (producer.ring && gate_load()) /* forked inside the call: the ring is the parent's */
		atomic_store_explicit(&producer.ring->call_hook, 0, memory_order_relaxed);
}

bool record_control(const struct event *slot, const struct event *follow)
{
	struct producer *p = &producer;
	bool done = false;

	if (p->inside & (INSIDE_WRITING | INSIDE_AGENT))
		return false;
	if ((!p->ring || p->generation != record_generation) && !record_prepare(0, 0))
		return false;
	p->inside |= INSIDE_WRITING;
	__asm__ volatile("" ::
				 : "memory");
	if (room(p, SLOTS_AT_MOST)) {
		put(p, slot);
		if (follow)
			put(p, follow);
		publish(p);
		done = true;
	}
	__asm__ volatile("" ::
				 : "memory");
	p->inside &= ~INSIDE_WRITING;
	return done;
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
	p->inside = 0;
	if (gate_load() && p->ring && p->generation == record_generation)
		atomic_store_explicit(&p->ring->call_hook, 0, memory_order_relaxed);
	return URC_CONTINUE_UNWIND;
}

void record_thread_exit(void *unused)
{
	struct producer *p = &producer;

	(void)unused;
	if (!gate_load()) /* forked, and nothing called since: the ring is the parent's */
		return;
	if (p->ring && p->generation == record_generation)
		ring_orphan(p->ring);
	p->ring = NULL;
	p->epoch = 0;
	flush_thread_exit();
}
