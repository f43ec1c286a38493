/*
 * handles.h - a lock-free table from a vendor's handle to two words of ours.
 *
 * Readers and writers never wait, so it may be used on the hot path, in signal handlers and in
 * forked children. Slots of forgotten handles are used again. A table that is full gets a larger one in
 * front of it: new handles go there, what is in the old one stays where it is, and is looked for behind.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"

struct handle_slot {
	_Atomic uint64_t key; /* 0: never used */
	_Atomic uint64_t a, b;
	_Atomic uint64_t alive; /* key + 1; 0: forgotten, may be taken for another key; HANDLES_TAKEN: being so */
};
#define HANDLES_TAKEN UINT64_MAX /* of no key: it would be even, which hashes are not, and no address */

struct handles {
	_Alignas(16) _Atomic(struct handle_slot *) slots; /* of the newest; mapped at the first put */
	_Atomic uint64_t mask;				  /* of an offset into them, in bytes */
};

/*
 * The bits of the product from 40 on are the number of a slot: here in bytes, with the mask for as many as there are. Of
 * factors that were tried, this one spreads addresses at all usual distances best.
 */
#define HANDLES_FACTOR	   0xC2B2AE3D27D4EB4Full
#define HANDLES_SHIFT	   35
#define HANDLES_MASK(bits) (((1ull << (bits)) - 1) * sizeof(struct handle_slot))
_Static_assert(sizeof(struct handle_slot) == 1u << (40 - HANDLES_SHIFT), "in bytes");

ALWAYS_INLINE struct handle_slot *handles_home(struct handle_slot *slots, uint64_t mask, uint64_t key)
{
	return (void *)((char *)slots + (key * HANDLES_FACTOR >> HANDLES_SHIFT & mask));
}

/* NULL if the handle is not there. */
struct handle_slot *handles_get(struct handles *t, uint64_t key);

/*
 * The usual case, in line: the handle has the very place where it belongs. NULL tells nothing;
 * then ask handles_get(). The mask is read first: it is never larger than the slots read behind it are many.
 */
ALWAYS_INLINE struct handle_slot *handles_peek(struct handles *t, uint64_t key)
{
	uint64_t mask = atomic_load_explicit(&t->mask, memory_order_acquire);
	struct handle_slot *s = atomic_load_explicit(&t->slots, memory_order_acquire);

	if (UNLIKELY(!s))
		return NULL;
	s = handles_home(s, mask, key);
	return LIKELY(atomic_load_explicit(&s->alive, memory_order_acquire) == key + 1) ? s : NULL;
}

/* Remembers (or replaces) a handle. Returns NULL, and counts, if there is no memory. */
struct handle_slot *handles_put(struct handles *t, uint64_t key, uint64_t a, uint64_t b);

void handles_forget(struct handle_slot *slot);

/* Calls for each that is there, at the price of all the room of the table. */
void handles_each(struct handles *t, void (*visit)(struct handle_slot *s, void *data), void *data);

/* The low half of b counts references: one more; one less, and the slot if that was the last, else NULL. */
void handles_retain(struct handles *t, uint64_t key);
struct handle_slot *handles_release(struct handles *t, uint64_t key);
