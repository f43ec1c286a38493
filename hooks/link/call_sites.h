/* call_sites.h - which of several providers the calls from one place go to. */
#pragma once
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "hooks/link/sizes.h"

/* What the calls of one place to one hook lead to; call_sites.S reads it. One that is taken stays until call_sites_renew(). */
struct call_site {
	_Atomic uint64_t key; /* hook << 48 | address of the place; 0: free */
	_Atomic(void *) real;
};
_Static_assert(sizeof(struct call_site) == 16 && offsetof(struct call_site, real) == 8, "as call_sites.S has it");
extern struct call_site call_sites[CALL_SITES] OURS;

/* NULL: not known, or another place has its room. */
ALWAYS_INLINE void *call_site_get(unsigned int hook, const void *caller)
{
	struct call_site *s = &call_sites[(uintptr_t)caller & (CALL_SITES - 1)];
	uint64_t key = (uint64_t)hook << 48 | (uintptr_t)caller;
	void *real;

	if (atomic_load_explicit(&s->key, memory_order_acquire) != key)
		return NULL;
	real = atomic_load_explicit(&s->real, memory_order_acquire);
	return atomic_load_explicit(&s->key, memory_order_relaxed) == key ? real : NULL;
}

/* The same, of all that are known. */
void *call_sites_get(unsigned int hook, const void *caller);

/* The same, of what was known last, whatever came or went since. */
void *call_sites_last(unsigned int hook, const void *caller);

/* when: call_sites_moment() before it was found out: nothing is put if objects came or went since. */
uint64_t call_sites_moment(void);
void call_sites_put(unsigned int hook, const void *caller, void *real, uint64_t when);

/* Objects came or went: at an address there may be another one. call_sites_moment() is another from here on. */
void call_sites_renew(void);
