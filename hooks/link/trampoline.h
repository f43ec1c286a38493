/* trampoline.h - a way in of its own for every second provider of a name: which real function, then the wrapper. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "hooks/link/sizes.h"

/*
 * An address beside a call's arguments: they stay where they are, for it comes in the first register for
 * floating point, which no row has an argument in but those that say so (HOOK_DOUBLE; `make test` sees to that) and have no
 * trampolines. In memory it would be lost to a signal handler's call that comes between.
 */
typedef double aside;

ALWAYS_INLINE aside aside_of(const void *address)
{
	union {
		const void *address;
		aside aside;
	} both = { address };

	return both.aside;
}

ALWAYS_INLINE void *aside_address(aside given)
{
	union {
		aside aside;
		void *address;
	} both = { given };

	return both.address;
}

struct hook_entry {
	void *exported;	       /* what a linked caller reaches: a tool in front of us may have the name, too */
	void *own;	       /* ours in any case */
	void *by_trampoline;   /* the same, with the real function as an aside in front of the arguments; NULL: there is no such way */
	const uint32_t *opens; /* by_trampoline goes to the real function at once where of the gate's bits these only GATE_STARTED is set */
};
extern const struct hook_entry hook_entries[];

/* Filled before a trampoline is handed out; trampoline.S reads it. */
struct trampoline {
	_Atomic(void *) real;	/* set last: by it others find the rest */
	_Atomic(void *) entry;	/* hook_entry.by_trampoline; trampoline_first before it was called */
	_Atomic uint32_t opens; /* *hook_entry.opens; until then 0, so that each call gets to entry */
	uint32_t hook;
};
_Static_assert(sizeof(struct trampoline) == 24 && offsetof(struct trampoline, opens) == 16, "as trampoline.S has it");
extern struct trampoline trampolines[TRAMPOLINES];

/* Has it been called? */
void trampoline_set(struct trampoline *t, bool called);

/* Tells of a first call, once the agent runs; returns where the call goes on. */
void *trampoline_called(struct trampoline *t);

/* Address of trampoline number i. */
void *trampoline_address(size_t i);
