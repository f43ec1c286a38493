/*
 * handles.h - a lock-free table from a vendor's handle to two words of ours.
 *
 * Readers and writers never wait, so it may be used on the hot path, in signal handlers and in
 * forked children. Slots of forgotten handles are used again.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"

#define HANDLES_BITS  17
#define HANDLES_SLOTS (1u << HANDLES_BITS)

struct handle_slot {
	_Atomic uint64_t key; /* 0: never used */
	_Atomic uint64_t a, b;
	_Atomic uint64_t alive; /* key + 1; 0: forgotten, may be taken for another key */
};

struct handles {
	_Atomic(struct handle_slot *) slots; /* mapped at the first put */
};

ALWAYS_INLINE uint64_t handles_hash(uint64_t x)
{
	return x * 0x9E3779B97F4A7C15ull >> (64 - HANDLES_BITS);
}

/* NULL if the handle is not there. */
struct handle_slot *handles_get(struct handles *t, uint64_t key);

/*
 * The usual case, in line: the handle has the very place where it belongs. NULL tells nothing;
 * then ask handles_get().
 */
ALWAYS_INLINE struct handle_slot *handles_peek(struct handles *t, uint64_t key)
{
	struct handle_slot *s = atomic_load_explicit(&t->slots, memory_order_acquire);

	if (UNLIKELY(!s))
		return NULL;
	s += handles_hash(key);
	return LIKELY(atomic_load_explicit(&s->alive, memory_order_acquire) == key + 1) ? s : NULL;
}

/* Remembers (or replaces) a handle. Returns NULL if the table is full or there is no memory. */
struct handle_slot *handles_put(struct handles *t, uint64_t key, uint64_t a, uint64_t b);

void handles_forget(struct handle_slot *slot);

/* The low half of b counts references: one more; one less, and the slot if that was the last, else NULL. */
void handles_retain(struct handles *t, uint64_t key);
struct handle_slot *handles_release(struct handles *t, uint64_t key);
