/* resolve.h - the real function behind every hook, whichever road led to the call. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "agent/base/relaxed.h"
#include "agent/session/guest.h"
#include "hooks/rows/ids.h"

/* More than one library has the same names. */
extern _Atomic bool hook_rivals;

struct hook_slot {
	_Atomic(void *) real;	   /* NULL: not known, or a matter of who asks */
	_Atomic(void *) last;	   /* real, the last time that it was known */
	_Atomic(void *) hint;	   /* what dlsym answered for the first handle asked */
	_Atomic bool defined;	   /* its name stands among the session's definitions */
	_Atomic uint32_t alone_at; /* 1 + objects ever loaded when it had no second provider; 0: never looked */
};
extern struct hook_slot hook_slots[HOOK_COUNT] OURS;

ALWAYS_INLINE void *hook_real(unsigned int hook)
{
	return relaxed_load_pointer(&hook_slots[hook].real);
}

ALWAYS_INLINE bool hook_defined(unsigned int hook)
{
	return atomic_load_explicit(&hook_slots[hook].defined, memory_order_relaxed);
}

/*
 * Starts the agent if need be and finds the real function for a caller at this address.
 * NULL if no loaded library has it. errno is kept.
 */
void *hook_resolve(unsigned int hook, const void *caller);

/* The first call that leads to this very function: starts the agent if need be, names hook and library. False: it cannot be told now. */
bool hook_given(unsigned int hook, const void *real);

/* Any call that does, of a process without an agent, as a forked child is: what cannot be recorded is counted. */
void hook_given_again(unsigned int hook, const void *real);

/* The same as hook_resolve() for a row that starts nothing and has no events. */
void *hook_look_up(unsigned int hook, const void *caller);

/* A call by an injected function, which may have no vendor behind it: starts the agent if need be, names the hook. */
void hook_begin(unsigned int hook, const void *caller);

/* Is the function defined by more than one loaded library? */
bool hook_has_rivals(unsigned int hook);

/* Objects may have been loaded: a second provider among them ends the certainty of hook_real(). */
void hook_recheck_providers(void);

/* A library is about to be loaded: which function is meant is found out anew at the next call. */
void hook_unresolve_all(void);

/*
 * Set where calls come from the vendor's loader instead of the program (hooks/<vendor>/layer.c): finds the function
 * that lies below us. NULL: they come from the program.
 */
extern void *(*hook_below)(const char *name);

/* An unloaded library would leave us with a dangling pointer: from now on it stays. False: it could not be kept. */
bool hook_pin(const char *path);

/* Somebody closes a library: what must stay is held now. */
void hook_pin_now(void);

/*
 * A vendor function that we call ourselves (names, event status ...): of several providers, of the one that
 * this thread called last.
 */
void *hook_vendor(_Atomic(void *) *cache, const char *name);

/* Is the code at this address part of the library that the hook's row names (or one like it)? */
bool hook_from_vendor(unsigned int hook, const void *address);

/* The same of the caller of a hooked function, who may call all the time: it is remembered until libraries come or go. */
bool hook_called_by_vendor(unsigned int hook, const void *caller);

/* What we tell the agent. */
extern const struct agent_guest hook_guest;

/* Libraries opened on roads that nobody can follow: with RTLD_DEEPBIND, or into another namespace. */
extern _Atomic unsigned long hook_deepbind, hook_namespaces;

/* Set once a `symbol:` step source is asked for: leads the calls of libraries that came since through its probes. */
extern void (*_Atomic hook_arm_probes)(void);
