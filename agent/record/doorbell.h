/*
 * doorbell.h - how threads that record, and the hooks, get the flush thread's attention. They ring and go on; it waits, and
 * knows from here whether device times are still to come.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "agent/base/attributes.h"

#define WINDOWS 256 /* so many may be open or wait to be written */

extern struct doorbell {
	_Atomic uint32_t word;		     /* another with each ring */
	_Atomic bool attended;		     /* the flush thread is there */
	_Atomic bool idle;		     /* it sleeps until somebody rings */
	_Atomic bool first_gone;	     /* the process's first thread has ended */
	_Atomic int64_t pending;	     /* calls whose device times are still to come; kept by the hooks, */
	_Atomic int32_t pending_of[WINDOWS]; /* and by the window in which they were made */
	_Atomic uint8_t window;		     /* the newest one: its number % WINDOWS */
	_Atomic bool unsure;		     /* whose step the windows' calls are will be known later: their files wait for it */
	_Atomic int64_t held;		     /* what the hooks have borrowed from a vendor for that, and give back when the program calls next */
} doorbell OURS;

/* A ring is half full; or a device time came in, or was given up, and a closed window may be waiting for it. */
void doorbell_ring(void);

/* A thread that recorded ends: the flush thread may be the last one now. */
void doorbell_thread_ends(void);

ALWAYS_INLINE bool doorbell_awaits_times(void)
{
	return atomic_load(&doorbell.pending) > 0 || atomic_load(&doorbell.held) > 0;
}

/* A call's device time is awaited from now on. Returns its window, which doorbell_times_came() wants back. */
ALWAYS_INLINE uint8_t doorbell_await_time(void)
{
	uint8_t window = atomic_load_explicit(&doorbell.window, memory_order_relaxed);

	atomic_fetch_add_explicit(&doorbell.pending_of[window], 1, memory_order_relaxed);
	atomic_fetch_add(&doorbell.pending, 1);
	return window;
}

/* So many of a window have come and are in a ring, or never will be. */
ALWAYS_INLINE void doorbell_times_came(uint8_t window, int32_t n)
{
	atomic_fetch_sub(&doorbell.pending_of[window], n);
	atomic_fetch_sub(&doorbell.pending, n);
}

void doorbell_forget(void); /* in a forked child */
