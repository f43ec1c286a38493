#include "agent/record/producer.h"
#include <errno.h>
#include <stddef.h>
#include <unistd.h>
#include "agent/os/clock.h"
#include "agent/os/slow_path.h"
#include "agent/os/threads.h"
#include "agent/record/doorbell.h"
#include "agent/record/launch_cache.h"
#include "agent/record/question.h"
#include "agent/session/guest.h"
#include "agent/session/session.h"

__thread struct producer producer __attribute__((tls_model("initial-exec"))) = { .inside = INSIDE };

/* From a half full ring on; once for each tail. */
static void hurry_flusher(struct ring_header *r, uint64_t tail)
{
	int saved = errno;

	if (r->hurried == tail + 1)
		return;
	r->hurried = tail + 1;
	doorbell_ring();
	errno = saved;
}

/*
 * Where the next slot is, and how far the ones after it go without another look at tail: to the end of
 * the memory, or of the room, or until the ring is half full: then the flush thread is told, rather than
 * let it find out in 20 ms.
 */
void producer_set_position(struct producer *p, uint64_t next)
{
	struct ring_header *r = p->ring;
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_acquire), limit = tail + r->slots / 2;
	uint64_t at = next & (r->slots - 1), span = r->slots - at;

	if (next + SLOTS_AT_MOST > limit) {
		limit = tail + r->slots;
		hurry_flusher(r, tail);
	}
	p->slot = &ring_slots(r)[at];
	p->end = p->slot + (limit - next < span ? limit - next : span);
}

/* Calls that this thread made before it had a ring. */
static void place_lost(const struct producer *p, struct ring_header *r)
{
	if (!p->unplaced)
		return;
	if (!atomic_load(&r->lost)) /* of its owner before */
		atomic_store(&r->lost_since, p->unplaced_since);
	atomic_store(&r->lost_until, clock_ticks());
	atomic_fetch_add(&r->lost, p->unplaced);
}

static void count_unplaced(struct producer *p)
{
	if (!p->unplaced++)
		p->unplaced_since = clock_ticks();
}

static bool take_ring(struct producer *p)
{
	struct ring_header *r = gate_is_borrowed(getpid()) ? NULL : rings_acquire(); /* it would be the vfork child's, and end with it */

	if (p->generation != session_generation) { /* a forked child: what was there is the parent's */
		p->ring = NULL;
		p->unplaced = p->unplaced_since = 0;
		p->generation = session_generation;
	}
	if (!r) {
		count_unplaced(p);
		return false;
	}
	place_lost(p, r);
	p->ring = r;
	p->generation = session_generation;
	p->launches = launch_cache_of(r->place);
	p->word = 0;
	p->epoch = 0;
	producer_set_position(p, atomic_load_explicit(&r->head, memory_order_acquire));
	p->unannounced = !producer_notice_end();
	return true;
}

/* ---- a ring is full ---- */

static void carry_lost(struct ring_header *from, struct ring_header *to)
{
	uint64_t lost = atomic_exchange(&from->lost, 0);

	if (!lost)
		return;
	atomic_store(&to->lost_since, atomic_load(&from->lost_since));
	atomic_store(&to->lost_until, atomic_load(&from->lost_until));
	atomic_store(&to->lost, lost);
}

/* What the short ways count on stays true: they write an event and no context, and find the call they are in in the ring. */
static void carry_on(struct producer *p, struct ring_header *to)
{
	struct ring_header *from = p->ring;
	uint64_t head = atomic_load_explicit(&to->head, memory_order_relaxed);
	uint32_t place = to->place;

	atomic_store(&to->before_end, atomic_load_explicit(&from->head, memory_order_relaxed));
	atomic_store(&to->before, from->id); /* last: the flush thread looks at it first */
	to->place = from->place;
	from->place = place;
	carry_lost(from, to);
	atomic_store_explicit(&to->call_begin, atomic_load_explicit(&from->call_begin, memory_order_relaxed), memory_order_relaxed);
	atomic_store_explicit(&to->call_hook, atomic_load_explicit(&from->call_hook, memory_order_relaxed), memory_order_relaxed);
	if (p->epoch) {
		const struct event thread = { .hook = CTRL_THREAD, .key = atomic_load(&to->tid), .begin = clock_ticks() };
		const struct event step = { .hook = CTRL_STEP, .key = p->epoch, .begin = thread.begin };

		ring_slots(to)[head++ & (to->slots - 1)] = thread;
		ring_slots(to)[head++ & (to->slots - 1)] = step;
		atomic_store_explicit(&to->head, head, memory_order_release);
	}
	p->ring = to;
	atomic_store(&from->full, 1);
	ring_orphan(from);
	producer_set_position(p, head);
}

bool producer_next_ring(void)
{
	struct producer *p = &producer;
	uint32_t inside = p->inside;
	struct slow_path guard;
	struct ring_header *to;

	if (rings_are_out())
		return false;
	guard = slow_path_begin();
	p->inside = record_inside(inside) | INSIDE_AGENT | INSIDE_WRITING;
	to = rings_next();
	if (to)
		carry_on(p, to);
	doorbell_ring();
	p->inside = inside;
	slow_path_end(guard);
	return to;
}

static void count_no_ring(void)
{
	atomic_fetch_add_explicit(&session->no_ring, 1, memory_order_relaxed);
}

/* The ring was taken in a signal handler. */
static void register_thread_end(struct producer *p)
{
	struct question question = question_begin();

	p->unannounced = !producer_notice_end();
	question_end(question);
}

bool producer_prepare(void)
{
	struct producer *p = &producer;
	struct slow_path guard;
	bool has_ring;

	gate_acquire();
	if (p->inside & INSIDE_AGENT) { /* a signal handler on top of our own slow path */
		count_no_ring();
		return false;
	}
	if (p->ring && p->generation == session_generation) {
		if (UNLIKELY(p->unannounced))
			register_thread_end(p);
		return true;
	}
	guard = slow_path_begin();
	p->inside = INSIDE | INSIDE_AGENT;
	has_ring = take_ring(p);
	p->inside = INSIDE;
	slow_path_end(guard);
	if (!has_ring) {
		count_no_ring();
		session_cause(CAUSE_NO_MEMORY, ENOMEM);
	}
	return has_ring;
}

/* ---- a thread ends ---- */

/* Called by the destructor of a pthread key: the ring goes to the next thread. */
static void thread_exit(void *unused)
{
	struct producer *p = &producer;
	struct ring_header *ring = p->ring;

	(void)unused;
	if (!gate_load()) /* forked, and nothing called since: the ring is the parent's */
		return;
	atomic_load(&agent_guest)->thread_ends();
	/* Let go of first: once orphaned it may be another thread's. */
	p->inside = INSIDE;
	p->epoch = 0;
	p->ring = NULL;
	p->unplaced = p->unplaced_since = 0;
	record_barrier();
	if (ring && p->generation == session_generation)
		ring_orphan(ring);
	doorbell_thread_ends();
}

bool producer_notice_end(void)
{
	return threads_at_exit(thread_exit);
}
