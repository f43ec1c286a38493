/*
 * ascend_pairs.h - pairs of time-line events that we put into streams. They belong to a context: each has a pool, made as
 * they are needed, up to a number far below what a device has. Everything here calls the vendor itself, past our hooks.
 */
#pragma once
#include "hooks/ascend_abi.h"
#include <stdatomic.h>

#define PAIRS_MOST 8192 /* of a context; the runtime documents 65,536 events of a device */

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
struct pairs_pool *pairs_pool(void);
struct pairs_pool *pairs_pool_at(uint32_t number); /* from 1; NULL: its context has ended */
uint32_t pairs_pool_number(const struct pairs_pool *pool);
bool pairs_pools(void); /* are there any? */

/* A pair of the pool; 0: there is none. */
uint32_t pairs_take(struct pairs_pool *pool);
void pairs_give(uint32_t pair);

struct pairs_pool *pairs_pool_of(uint32_t pair); /* NULL: its context has ended */
bool pairs_record_first(uint32_t pair, aclrtStream stream);
bool pairs_record_last(uint32_t pair, aclrtStream stream);

/* Is the work between them done? Negative: this cannot be told. */
int pairs_done(uint32_t pair);

/* In ns of the device's clock. False: the runtime will not say. */
bool pairs_read(uint32_t pair, uint64_t *begin, uint64_t *duration);

/* When the pair's first event was recorded, if that is past, on the device's clock. */
bool pairs_moment(uint32_t pair, uint64_t *ns);

/*
 * Gives the events that are not in use back to the runtime. As long as there are any a window that has ended waits
 * (flush_held), so that somebody comes to do this.
 */
void pairs_put_away(struct pairs_pool *pool);

/* A context, or all of a device's, are about to end, with all that is in them. */
void pairs_end_context(aclrtContext context);
void pairs_end_device(uint32_t device);

/* Around calls of ours: what the vendor calls in turn is not the program's. */
uint32_t pairs_enter(void);
void pairs_leave(uint32_t inside);
