/*
 * pools.h - the contexts in which we put events into streams, with the vendor's functions that this takes. Each has
 * a pool of pairs (pairs.h), made as they are needed, up to a number far below what a device has.
 */
#pragma once
#include <stdatomic.h>
#include "hooks/capture/streams/contexts.h"

struct vendor_times;

/* The vendor's own functions, as it has found them: of several providers each context has those of its own. */
enum { EVENT_CREATE,
       EVENT_DESTROY,
       EVENT_RECORD,
       EVENT_QUERY,
       EVENT_ELAPSED,
       EVENT_TIMESTAMP, /* may be NULL: times count from a pair of ours */
       EVENT_CAPTURE,	/* may be NULL: it knows no capture */
       EVENT_FUNCTIONS };

/* How they are called. 0 is success where nothing else is said. */
struct event_calls {
	bool (*find)(void **real); /* false: it has not what it takes */
	int (*create)(void *const *real, void **event);
	int (*destroy)(void *const *real, void *event);
	int (*record)(void *const *real, void *event, void *stream);
	int (*query)(void *const *real, void *event); /* 1: it is done; 0: not yet; negative: nobody can tell */
	int (*elapsed)(void *const *real, float *ms, void *from, void *to);
	int (*timestamp)(void *const *real, void *event, uint64_t *ns); /* on the device's clock */
	int (*capture)(void *const *real, void *stream);		/* 1: what is given to it is kept; negative: nobody can tell */
	uint32_t (*events_left)(void);					/* of the device; UINT32_MAX: any number. NULL: the same */
	bool (*aside)(void);						/* others measure, and we do not. NULL: nobody does */

	/* Before some of these, on this thread, and behind them, with what it answered. NULL: nothing is to be done. asks: about events */
	int (*enter)(bool asks);
	void (*leave)(int kept);
};

struct pairs_pool {
	_Atomic(void *) context;	      /* NULL: not in use */
	_Atomic enum pool_state { POOL_BEGUN, /* by any thread of this context: all write the same */
				  POOL_READY,
				  POOL_ENDED } state;
	_Atomic bool held;	     /* a window waits until its events are given back */
	uint32_t generation, device; /* device: DEF_DEVICE id */
	void *real[EVENT_FUNCTIONS];
	_Atomic uint64_t idle; /* tag << 32 | pair */
	_Atomic uint32_t made, most;
	/* Whoever reads times of this pool, one at a time: */
	uint64_t calibrated, window; /* ticks, and windows by then */
	_Atomic uint32_t base;	     /* where there are no time stamps: a pair that was recorded ... */
	uint64_t base_ns;	     /* ... when the clock that we made up stood here */
};

#define POOLS 64
struct pools {
	struct pairs_pool pool[POOLS]; /* those in use, or used before, come first */
};

/* The pool of this thread's context; NULL: there is none, or the runtime has not what it takes. */
struct pairs_pool *pools_here(struct vendor_times *of);
struct pairs_pool *pools_at(struct vendor_times *of, uint32_t number); /* from 1; NULL: its context has ended */
uint32_t pools_number(const struct vendor_times *of, const struct pairs_pool *pool);
bool pools_any(const struct vendor_times *of);

/* Its context has ended. */
void pools_end(struct pairs_pool *pool);

/* As the runtime says: no capture keeps what is given to the stream. */
bool pools_stream_free(const struct vendor_times *of, const struct pairs_pool *pool, void *stream);

/* Others measure: nothing is asked, and nothing put into streams. */
bool pools_aside(const struct vendor_times *of);

/* As long as a pool is held a window that has ended waits (doorbell.held), so that somebody comes to give its events back. */
void pools_hold(struct pairs_pool *pool);
void pools_let_go(struct pairs_pool *pool);
