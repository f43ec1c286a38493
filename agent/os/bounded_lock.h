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
	_Atomic bool in_vain;	  /* somebody has waited for as long as anybody does: the next ones do not */
};

/* self: what tells the calling thread, not 0. False: after some 0.1 s, or at once, it is not to be had. May change errno. */
bool bounded_lock_take(struct bounded_lock *l, uintptr_t self);
void bounded_lock_leave(struct bounded_lock *l);
