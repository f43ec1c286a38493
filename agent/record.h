/* record.h - the hot path: from a call entered to a slot in this thread's ring. */
#pragma once
#include "clock.h"
#include "event.h"
#include "gate.h"
#include "rings.h"

#define INSIDE_WRITING BIT(31) /* this thread is writing a slot: a signal handler must not */
#define INSIDE_AGENT   BIT(30) /* this thread runs our own slow path */

/* All that a call touches in TLS, in one cache line. */
struct producer {
	_Alignas(64) struct ring_header *ring;
	uint64_t next;	      /* position of the next slot; what head will be */
	uint64_t limit;	      /* next may grow up to here before tail is read again */
	uint32_t mask;	      /* slots - 1 */
	uint32_t epoch;	      /* epoch of the ring's last CTRL_STEP slot */
	uint32_t inside;      /* kinds that this thread is in, and INSIDE_* */
	uint32_t generation;  /* of the session that ring belongs to */
	uint64_t lost_since;  /* ticks of the first call of a run that found the ring full; 0: none */
	uint32_t lost;	      /* calls in that run */
	uint32_t unannounced; /* the end of this thread would not be noticed yet: see agent_thread_has_ring() */
	void *through;	      /* read at once by the function that it is set for: caller's address, or a thunk's real function */
};
_Static_assert(sizeof(struct producer) == 64, "one cache line");
extern __thread struct producer producer __attribute__((tls_model("initial-exec")));

/* A call being recorded. The row's capture word fills in event. */
struct call {
	struct event event;
	uint64_t second; /* second address; 0: none */
	int64_t result;	 /* 0: success */
	uint64_t slot;	 /* where the event landed; set by record_leave() */
	uint32_t epoch;
	uint32_t inside; /* the producer's, before this call */
	bool recording;
	bool nested;
	bool noted; /* by record_in() */
	bool timed; /* the vendor was asked for an event on our behalf */
};

/* Gets a ring, notices forks and new epochs. False: the call passes unrecorded (and counted). */
bool record_prepare(uint64_t word, unsigned int hook);

/* Writes the event with everything out of the ordinary: control slots, a full ring, signals. */
void record_write_slowly(struct call *c);

/* A call that the level leaves out: only where the thread is, should it hang. True: record_out() is due. */
bool record_in(unsigned int hook);
void record_out(void);

/* A control slot on its own, now. False if the ring is full. */
bool record_control(const struct event *slot, const struct event *follow);

/* This thread is ending: its ring goes to the next thread. Called by a pthread key's destructor. */
void record_thread_exit(void *unused);

/*
 * What the unwinder asks about our functions (a personality routine): the call that it leaves will never
 * return, and counts as in flight.
 */
OURS int record_unwound(int version, int actions, uint64_t class, void *exception, void *context);

extern uint32_t record_generation OURS;

/* One instruction, so that a signal handler's count in between is not lost. */
ALWAYS_INLINE void record_count(_Atomic uint64_t *counter)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__asm__ volatile("incq %0"
			 : "+m"(*(uint64_t *)counter));
#else
	atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
#endif
}

/* Is this call to be recorded, says this word of the gate? If so its clock starts. */
ALWAYS_INLINE bool record_enter(struct call *c, uint64_t word, unsigned int hook, unsigned int kind)
{
	struct producer *p = &producer;

	if (!(word & BIT(kind)))
		return false;
	if (UNLIKELY(p->epoch != gate_epoch(word) || p->inside & INSIDE_AGENT) &&
	    !record_prepare(word, hook))
		return false;
	c->epoch = gate_epoch(word);
	c->inside = p->inside;
	c->second = 0;
	c->result = 0;
	c->nested = false;
	c->event.hook = (uint16_t)hook;
	c->event.stream = 0;
	c->event.key = 0;
	c->event.arg = 0;
	p->inside = c->inside | BIT(kind);
	record_count(&p->ring->entered);
	c->event.begin = clock_ticks();
	if (!(c->inside & 0xffff)) {
		atomic_store_explicit(&p->ring->call_begin, c->event.begin, memory_order_relaxed);
		atomic_store_explicit(&p->ring->call_hook, hook + 1, memory_order_relaxed);
	}
	return true;
}

/* The vendor has answered: stops the clock. Capture comes after. */
ALWAYS_INLINE void record_stop(struct call *c)
{
	uint64_t ticks = clock_ticks() - c->event.begin;

	c->event.duration = LIKELY(ticks < UINT32_MAX) ? (uint32_t)ticks : UINT32_MAX;
	if (UNLIKELY(ticks >= UINT32_MAX))
		c->slot = ticks; /* kept for the CTRL_LONG slot */
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
	uint64_t at;

	/* First of all: a signal handler between the look at `next` and the slot would write there too. */
	p->inside = c->inside | INSIDE_WRITING;
	__asm__ volatile("" ::
				 : "memory");
	at = p->next;
	if (!(c->inside & 0xffff))
		atomic_store_explicit(&p->ring->call_hook, 0, memory_order_relaxed);
	if (UNLIKELY(p->epoch != c->epoch || at >= p->limit || c->inside & INSIDE_WRITING || !gate_load() ||
		     c->result | (int64_t)c->second || c->nested || c->event.duration == UINT32_MAX)) {
		struct call odd = *c;

		p->inside = c->inside;
		record_write_slowly(&odd);
		c->slot = odd.slot;
		c->recording = odd.recording;
		return;
	}
	slot = &ring_slots(p->ring)[at & p->mask];
	record_copy(slot, &c->event);
	__builtin_prefetch(slot + 4, 1, 3);
	c->slot = at;
	p->next = at + 1;
	/* Publishes the slot: pairs with the acquire of the flush thread, and with recovery. */
	atomic_store_explicit(&p->ring->head, at + 1, memory_order_release);
	__asm__ volatile("" ::
				 : "memory");
	p->inside = c->inside;
}
