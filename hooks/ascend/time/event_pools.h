/*
 * event_pools.h - the contexts in which we put events into streams, with the vendor's functions that this takes. Each has
 * a pool of pairs (event_pairs.h), made as they are needed, up to a number far below what a device has.
 */
#pragma once
#include <stdatomic.h>
#include "hooks/ascend/abi/abi.h"

struct pairs_vendor {
	aclError (*create)(aclrtEvent *, uint32_t);
	aclError (*destroy)(aclrtEvent);
	aclError (*record)(aclrtEvent, aclrtStream);
	aclError (*query)(aclrtEvent, aclrtEventRecordedStatus *);
	aclError (*elapsed)(float *, aclrtEvent, aclrtEvent);
	aclError (*timestamp)(aclrtEvent, uint64_t *);			       /* may be NULL */
	aclError (*capture)(aclrtStream, aclmdlRICaptureStatus *, aclmdlRI *); /* NULL: it knows no capture */
};

struct pairs_pool {
	_Atomic(aclrtContext) context; /* NULL: not in use */
	_Atomic bool alive, held;      /* held: a window waits until its events are given back */
	uint32_t generation, device;   /* device: DEF_DEVICE id */
	struct pairs_vendor vendor;
	_Atomic uint64_t idle; /* tag << 32 | pair */
	_Atomic uint32_t made, most;
	/* Whoever reads times of this pool, one at a time: */
	uint64_t calibrated, window; /* ticks, and windows by then */
	_Atomic uint32_t base;	     /* where there are no time stamps: a pair that was recorded ... */
	uint64_t base_ns;	     /* ... when the clock that we made up stood here */
};

/* The pool of this thread's context; NULL: there is none, or the runtime has not what it takes. */
struct pairs_pool *pools_here(void);
struct pairs_pool *pools_at(uint32_t number); /* from 1; NULL: its context has ended */
uint32_t pools_number(const struct pairs_pool *pool);
uint32_t pools_count(void); /* with those that have ended */

/* As the runtime says: no capture keeps what is given to the stream. */
bool pools_stream_free(const struct pairs_pool *pool, aclrtStream stream);

/* As long as a pool is held a window that has ended waits (doorbell.held), so that somebody comes to give its events back. */
void pools_hold(struct pairs_pool *pool);
void pools_let_go(struct pairs_pool *pool);

/* Around calls of ours: what the vendor calls in turn is not the program's. */
uint32_t pools_enter(void);
void pools_leave(uint32_t inside);
