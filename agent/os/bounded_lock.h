/*
 * bounded_lock.h - a lock of which the holder may have been stopped, on a busy host for tens of milliseconds, or be where it cannot go on:
 * others wait for it, but not for ever. A signal handler on top of the holder does not wait: that one would get no further.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct bounded_lock {
	_Atomic uintptr_t holder; /* 0: nobody */
	_Atomic uint32_t turn;	  /* how often it was had */
	_Atomic bool in_vain;	  /* somebody has waited for as long as anybody does, and nobody had it: the next ones do not */
};

/*
 * self: what tells the calling thread, not 0. False: it is not to be had, at once by a handler on top of its holder, else after 0.1 s, and
 * after 1 ms where another has waited in vain. However busy the processor is, one more turn of the scheduler is all that is added.
 * May change errno.
 */
bool bounded_lock_take(struct bounded_lock *l, uintptr_t self);
void bounded_lock_leave(struct bounded_lock *l);
