/*
 * recent_keys.h - a lock-free table from keys to numbers that never grows: the newest keys of a set push the oldest out. For what
 * may come in any number over a program's life, and is soon forgotten.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"

#define RECENT_WAYS 8
#define RECENT_SETS 2048

struct recent_keys {
	struct recent_set {
		struct recent_way {
			_Alignas(16) _Atomic uint64_t key; /* 0: free, 1: being written */
			_Atomic uint64_t value;
		} way[RECENT_WAYS];
		_Atomic uint32_t next;	    /* the way that goes next */
		_Atomic uint32_t elsewhere; /* a key has been put where it is not looked for first */
	} set[RECENT_SETS];
	_Atomic bool forgetful; /* a key has been pushed out: one that is not there may have been */
};

/* One key of two words. Never 0 or 1. */
ALWAYS_INLINE uint64_t recent_keys_of(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * 0xD6E8FEB86659FD93ull) * 0x9E3779B97F4A7C15ull;

	return (h ^ h >> 32) | 2;
}

/* 0: it is not there. */
uint64_t recent_keys_get(struct recent_keys *r, uint64_t key);
void recent_keys_put(struct recent_keys *r, uint64_t key, uint64_t value);

/* The same, unless the value is 0: it could not be had, and is asked for again. Returns it. */
static inline uint64_t recent_keys_keep(struct recent_keys *r, uint64_t key, uint64_t value)
{
	if (value)
		recent_keys_put(r, key, value);
	return value;
}

/* What it was; 0: it was not there. Of two who drop it one is told. */
uint64_t recent_keys_drop(struct recent_keys *r, uint64_t key);

/*
 * The bits of the product from 40 on are the number of a set; the three above those, of the way where a key is first looked for: it is
 * in no other as long as no key of the set is `elsewhere`.
 */
struct recent_place {
	struct recent_set *set;
	struct recent_way *home;
};
_Static_assert(RECENT_WAYS == 8 && RECENT_SETS <= 1 << (61 - 40), "three bits, and enough below them");

ALWAYS_INLINE struct recent_place recent_place_of(struct recent_keys *r, uint64_t key)
{
	uint64_t product = key * 0x9E3779B97F4A7C15ull;
	struct recent_set *s = &r->set[product >> 40 & (RECENT_SETS - 1)];

	return (struct recent_place){ s, &s->way[product >> 61] };
}

ALWAYS_INLINE bool recent_way_has(const struct recent_way *w, uint64_t key)
{
	return atomic_load_explicit(&w->key, memory_order_acquire) == key;
}

/*
 * A table for keys that are lent a value, give it back, and soon are lent another: while a key keeps its way none of it is an instruction
 * that other processors have to wait for. A key that has given its value back makes room for others. As two threads' stores may meet
 * in a way that changes hands, a value has bits of its key, so as not to be taken for another's: then one of both is forgotten, which
 * `forgetful` does not tell of each.
 */
#define RECENT_VALUE 40					  /* bits */
#define RECENT_MARK  (((1ull << 23) - 1) << RECENT_VALUE) /* of the key */
#define RECENT_FREE  (1ull << 63)			  /* it was given back */

void recent_keys_lend(struct recent_keys *r, uint64_t key, uint64_t value);

/* 0: it has none. keep: it is not given back. */
uint64_t recent_keys_take(struct recent_keys *r, uint64_t key, bool keep);

/* As most are: where they are first looked for. False: it has not been lent. */
ALWAYS_INLINE bool recent_keys_lend_at_home(struct recent_keys *r, uint64_t key, uint64_t value)
{
	struct recent_way *home = recent_place_of(r, key).home;

	if (UNLIKELY(!recent_way_has(home, key)))
		return false;
	atomic_store_explicit(&home->value, value | (key & RECENT_MARK), memory_order_release);
	return true;
}

/* 0: it has none there. */
ALWAYS_INLINE uint64_t recent_keys_take_at_home(struct recent_keys *r, uint64_t key)
{
	struct recent_way *home = recent_place_of(r, key).home;
	uint64_t mark = key & RECENT_MARK, value = atomic_load_explicit(&home->value, memory_order_acquire) ^ mark;

	if (UNLIKELY(!recent_way_has(home, key) || value >> RECENT_VALUE))
		return 0;
	atomic_store_explicit(&home->value, mark | RECENT_FREE, memory_order_relaxed);
	return value;
}
