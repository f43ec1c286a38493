/*
 * device_times.h - calls whose device times are still to come, of whichever vendor: kept from the call until the program itself
 * has waited for the work, then written as CTRL_DEVICE.
 */
#pragma once
#include "agent/record/doorbell.h"
#include "agent/record/record.h"
#include "agent/session/session.h"

/* One such call. Known by its number, from 1; 0 is none. */
struct timing {
	void *what;				   /* whom to ask for its times: the vendor's */
	void *provider;				   /* whose it is: the vendor's file's own, most often a function of one of several libraries */
	uint64_t ref, key, begin, end;		   /* DEVICE_REF, the event's key, host ticks of the call */
	uint64_t told;				   /* 0, or of somebody else who may write its time: the vendor's file's own */
	uint32_t device, next, generation, number; /* DEF_DEVICE; number: the vendor's file's own */
	uint16_t stream;
	uint8_t window; /* in which it was made */
	bool outer;	/* the call may have others of another kind inside */
};

/* Those of one vendor, or of one way of asking. */
struct timings {
	_Atomic uint32_t incoming; /* stack of new ones */
	uint32_t waiting;	   /* list of those that were looked at before */
	atomic_flag busy;	   /* somebody is looking */
};

/* A place for one; 0: there is none. device_times_give() takes it back. */
uint32_t device_times_take(void);
void device_times_give(uint32_t number);
extern _Atomic(struct timing *) device_times_nodes;

ALWAYS_INLINE struct timing *timing_at(uint32_t number)
{
	return &atomic_load_explicit(&device_times_nodes, memory_order_relaxed)[number - 1];
}

/* The call that has just been recorded. */
ALWAYS_INLINE void timing_note(struct timing *t, const struct call *c)
{
	t->ref = DEVICE_REF(producer.ring->id, c->event.hook, c->slot);
	t->key = c->event.key;
	t->begin = c->event.begin;
	t->end = c->event.begin + c->event.duration;
	t->stream = c->event.stream;
	t->generation = session_generation;
}

/* It waits from now on. What the vendor wants to know is filled in before, and what is known of the call. */
ALWAYS_INLINE void timing_push(struct timings *list, uint32_t number)
{
	uint32_t head = atomic_load(&list->incoming);
	struct timing *t = timing_at(number);

	t->window = doorbell_await_time();
	do
		t->next = head;
	while (!atomic_compare_exchange_weak(&list->incoming, &head, number));
}

ALWAYS_INLINE void timing_keep(struct timings *list, uint32_t number, const struct call *c)
{
	timing_note(timing_at(number), c);
	timing_push(list, number);
}

/* A program that never waits is looked after now and then. */
ALWAYS_INLINE bool timing_crowded(void)
{
	return atomic_load_explicit(&doorbell.pending, memory_order_relaxed) % 8192 == 0;
}

/* Asks for each, in the order in which they came, unless somebody is at it. collect: true if it is done with, one way or the other. */
void device_times_harvest(struct timings *list, bool (*collect)(struct timing *t));

/* The times were asked for and cannot be had. */
void device_times_missed(void);

/* In nanoseconds of the device's clock. stream: as in the event, or the same seen by another clock. */
ALWAYS_INLINE bool timing_write(const struct timing *t, uint16_t stream, uint64_t begin, uint64_t duration)
{
	bool is_long = duration >= UINT32_MAX;
	struct event e = { .begin = begin,
			   .duration = is_long ? UINT32_MAX : (uint32_t)duration,
			   .hook = CTRL_DEVICE,
			   .stream = stream,
			   .key = t->key,
			   .arg = t->ref };

	return ring_write_control(&e, is_long ? &(struct event){ .hook = CTRL_LONG, .key = duration } : NULL);
}

/* The device's clock stood at device_ns between these two moments (ticks): the shortest stretches tell it best. */
void device_times_clock(uint32_t device, uint64_t device_ns, uint64_t from, uint64_t to);
