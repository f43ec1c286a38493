/* record.h - the hot path: from a call entered to a slot in this thread's ring. */
#pragma once
#include "agent/base/relaxed.h"
#include "agent/format/event.h"
#include "agent/os/clock.h"
#include "agent/record/gate.h"
#include "agent/record/producer.h"
#include "agent/record/ring_write.h"
#include "agent/record/rings.h"

/* A call being recorded. The row's capture word fills in event. */
struct call {
	struct event event;
	uint64_t second; /* second address; 0: none */
	uint64_t items;	 /* that a batch has; 0: the call is no batch */
	int64_t result;	 /* 0: success */
	uint64_t slot;	 /* where the event landed; set by record_leave() */
	uint64_t word;	 /* the gate's when the call was entered */
	uint32_t inside; /* the producer's, before this call */
	bool recording;
	bool nested;
	bool captured;	  /* what it gave a stream is kept, and did not run */
	bool has_totals;  /* of an allocator, by then: */
	uint8_t left_out; /* what record_skipped_begin() returned; 0: it was not called */
	bool timed;	  /* the vendor was asked for an event on our behalf */
	uint64_t allocated, reserved;
};

/*
 * A call that the level leaves out: where the thread is, should it hang, and that what it is made of is part of it.
 * Returns what record_skipped_end() wants, never 0.
 */
uint8_t record_skipped_begin(unsigned int hook, unsigned int kind);
void record_skipped_end(uint8_t left_out);

/*
 * What the unwinder asks about our functions (a personality routine): the call that it leaves will never
 * return, and counts as in flight.
 */
OURS int record_unwound(int version, int actions, uint64_t class, void *exception, void *context);

/* One instruction, or one that begins anew, so that a signal handler's count in between is not lost. */
ALWAYS_INLINE void record_count(_Atomic uint64_t *counter)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__asm__ volatile("incq %0"
			 : "+m"(*(uint64_t *)counter));
#elif defined(__aarch64__) && !defined(__SANITIZE_THREAD__)
	uint64_t n;
	uint32_t lost; /* a signal came between, which no longer holds what this thread had reserved */

	__asm__ volatile("0: ldxr %0, %2\n\t"
			 "add %0, %0, #1\n\t"
			 "stxr %w1, %0, %2\n\t"
			 "cbnz %w1, 0b"
			 : "=&r"(n), "=&r"(lost), "+Q"(*(uint64_t *)counter));
#else
	atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
#endif
}

/* Makes a slot that has been written visible: pairs with the acquire of the flush thread, and with recovery. */
ALWAYS_INLINE void record_publish(struct ring_header *r)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__asm__ volatile("incq %0"
			 : "+m"(*(uint64_t *)&r->head)
			 :
			 : "memory");
#else
	uint64_t head = relaxed_load(&r->head);

	atomic_store_explicit(&r->head, head + 1, memory_order_release);
#endif
}

/* May what a call says be wanted? Not where nothing can be recorded any more, nor of calls that our own make. */
ALWAYS_INLINE bool record_may_learn(void)
{
	return gate_may_record() && !(producer.inside & INSIDE_AGENT);
}

/* Is this call to be recorded, says this word of the gate? If so its clock starts. */
ALWAYS_INLINE bool record_enter(struct call *c, uint64_t word, unsigned int hook, unsigned int kind)
{
	struct producer *p = &producer;
	uint32_t inside;

	if (!(word & gate_kind(kind)))
		return false;
	if (UNLIKELY(p->epoch != gate_epoch(word) || p->inside & INSIDE_AGENT) && !producer_prepare())
		return false;
	inside = record_inside(p->inside);
	c->word = word;
	c->inside = p->inside;
	c->second = 0;
	c->items = 0;
	c->result = 0;
	c->nested = c->captured = c->has_totals = false;
	c->event.hook = (uint16_t)hook;
	c->event.stream = 0;
	c->event.key = 0;
	c->event.arg = 0;
	p->inside = inside | record_inside_kind(kind);
	record_count(&p->ring->entered);
	c->event.begin = clock_ticks();
	if (!(inside & INSIDE_KINDS)) {
		relaxed_store(&p->ring->call_begin, c->event.begin);
		relaxed_store(&p->ring->call_hook, hook + 1);
	}
	return true;
}

/* The vendor has answered: stops the clock. Capture comes after. */
ALWAYS_INLINE void record_stop(struct call *c)
{
	uint64_t ticks = clock_ticks() - c->event.begin;

	c->event.duration = LIKELY(ticks < UINT32_MAX) ? (uint32_t)ticks : UINT32_MAX;
	if (UNLIKELY(ticks >= UINT32_MAX))
		c->slot = ticks; /* kept for the CTRL_LONG slot, if there is to be one */
}

/*
 * *slot = *e, field by field through registers: a wide load of what has just been stored in pieces
 * would have to wait for the pieces.
 */
ALWAYS_INLINE void record_copy(struct event *slot, const struct event *e)
{
	uint64_t begin = e->begin, key = e->key, arg = e->arg;
	uint32_t duration = e->duration, hook = e->hook, stream = e->stream;

	__asm__(""
		: "+r"(begin), "+r"(key), "+r"(arg), "+r"(duration), "+r"(hook), "+r"(stream));
	slot->begin = begin;
	slot->duration = duration;
	slot->hook = (uint16_t)hook;
	slot->stream = (uint16_t)stream;
	slot->key = key;
	slot->arg = arg;
}

/*
 * Puts the event into the ring. Here and below, what is out of the ordinary gets a copy: a call whose
 * address nobody has lives in registers.
 */
ALWAYS_INLINE void record_leave(struct call *c)
{
	struct producer *p = &producer;
	struct event *slot;

	/* First of all: a signal handler between the look at `slot` and the writing would write there too. */
	p->inside = record_inside(c->inside) | INSIDE_WRITING;
	record_barrier();
	if (!(record_inside(c->inside) & INSIDE_KINDS))
		relaxed_store(&p->ring->call_hook, 0);
	slot = p->slot;
	if (UNLIKELY(slot == p->end || c->word != p->word || c->word != gate_load() || c->inside & INSIDE_WRITING ||
		     c->result | (int64_t)(c->second | c->items) || c->nested | c->captured | c->has_totals || c->event.duration == UINT32_MAX)) {
		struct call odd = *c;

		p->inside = c->inside;
		ring_write_event(&odd);
		c->slot = odd.slot;
		c->recording = odd.recording;
		return;
	}
	c->slot = relaxed_load(&p->ring->head);
	record_copy(slot, &c->event);
	__builtin_prefetch(slot + 4, 1, 3);
	p->slot = slot + 1;
	record_publish(p->ring);
	record_barrier();
	p->inside = c->inside;
}

/* ---- the short way: outside of any other call, under a word that is known, see struct producer ---- */

/*
 * When the call begins, read before the first store of ours: x86's clock waits until all stores before it are done, and the line of
 * the ring may be far away. For loads it does not wait, so that this one comes nearer meanwhile.
 */
ALWAYS_INLINE uint64_t record_clock(const struct producer *p)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetchw %0"
			 :
			 : "m"(p->ring->entered));
#else
	__builtin_prefetch(p->ring, 1, 3);
#endif
	return clock_raw();
}

/* From here on a signal handler's call is one inside of ours: it goes the slow path, and learns nothing. */
ALWAYS_INLINE void record_turn(struct producer *p, unsigned int kind)
{
	p->inside = INSIDE | record_inside_kind(kind);
	record_barrier();
}

/* It is none for the short way: as if nothing had been. */
ALWAYS_INLINE void record_turn_back(struct producer *p)
{
	record_barrier();
	if (p->word && p->epoch == gate_epoch(p->word))
		p->ready = p->word;
	else
		p->inside = INSIDE; /* of a forked child now, or a signal handler's calls are of another epoch */
}

/* begin: record_clock()'s */
ALWAYS_INLINE void record_begin(struct producer *p, unsigned int hook, uint64_t begin)
{
	struct ring_header *r = p->ring;

	record_count(&r->entered);
	relaxed_store(&r->call_begin, begin);
	relaxed_store(&r->call_hook, hook + 1);
}

/* Ticks when it began. */
ALWAYS_INLINE uint64_t record_begun(const struct ring_header *r)
{
	return relaxed_load(&r->call_begin);
}

/* names: hook | stream << 16. False, and nothing is written: the gate's word is another now, or there is no room. */
ALWAYS_INLINE bool record_end(struct producer *p, struct ring_header *r, uint64_t begin, uint32_t duration,
			      uint32_t names, uint64_t key)
{
	uint64_t word = p->word;
	struct event *slot;

	p->inside = INSIDE | INSIDE_WRITING;
	record_barrier();
	slot = p->slot;
	if (UNLIKELY(slot == p->end || word != gate_load())) {
		p->inside = INSIDE;
		return false;
	}
	relaxed_store(&r->call_hook, 0);
	slot->begin = begin;
	slot->duration = duration;
	slot->hook = (uint16_t)names;
	slot->stream = (uint16_t)(names >> 16);
	slot->key = key;
	slot->arg = 0;
	__builtin_prefetch(slot + 4, 1, 3);
	p->slot = slot + 1;
	record_publish(r);
	record_barrier();
	p->ready = word;
	return true;
}
