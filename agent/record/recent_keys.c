#include "agent/record/recent_keys.h"

#define BUSY 1u

/*
 * The bits of the product from 40 on are the number of a set; the three above those, of the way where a key is first looked for: it is
 * in no other as long as no key of the set is `elsewhere`.
 */
struct place {
	struct recent_set *set;
	struct recent_way *home;
};
_Static_assert(RECENT_WAYS == 8 && RECENT_SETS <= 1 << (61 - 40), "three bits, and enough below them");

static struct place place_of(struct recent_keys *r, uint64_t key)
{
	uint64_t product = key * 0x9E3779B97F4A7C15ull;
	struct recent_set *s = &r->set[product >> 40 & (RECENT_SETS - 1)];

	return (struct place){ s, &s->way[product >> 61] };
}

static bool has(struct recent_way *w, uint64_t key)
{
	return atomic_load_explicit(&w->key, memory_order_acquire) == key;
}

/* NULL: in none. */
static NOINLINE struct recent_way *search(struct recent_set *s, uint64_t key)
{
	for (struct recent_way *w = s->way; w < s->way + RECENT_WAYS; w++)
		if (has(w, key))
			return w;
	return NULL;
}

ALWAYS_INLINE struct recent_way *find(struct place p, uint64_t key)
{
	if (LIKELY(has(p.home, key)))
		return p.home;
	return LIKELY(!atomic_load_explicit(&p.set->elsewhere, memory_order_relaxed)) ? NULL : search(p.set, key);
}

uint64_t recent_keys_get(struct recent_keys *r, uint64_t key)
{
	struct recent_way *w = find(place_of(r, key), key);
	uint64_t value = w ? atomic_load_explicit(&w->value, memory_order_acquire) : 0;

	return w && has(w, key) ? value : 0;
}

/* A free way, or else the oldest. */
static NOINLINE struct recent_way *choose_elsewhere(struct recent_set *s)
{
	struct recent_way *w;

	atomic_store(&s->elsewhere, 1); /* before the key is: whoever is told of it looks for it there */
	w = search(s, 0);
	return w ? w : &s->way[atomic_fetch_add(&s->next, 1) % RECENT_WAYS];
}

/* The way of this key, or one for it. */
ALWAYS_INLINE struct recent_way *choose(struct place p, uint64_t key)
{
	struct recent_way *w = find(p, key);

	if (w)
		return w;
	return LIKELY(has(p.home, 0)) ? p.home : choose_elsewhere(p.set);
}

/* Whoever comes second to the same way leaves it: one of both is forgotten, as if it were older. */
void recent_keys_put(struct recent_keys *r, uint64_t key, uint64_t value)
{
	struct recent_way *w = choose(place_of(r, key), key);
	uint64_t was = atomic_load_explicit(&w->key, memory_order_relaxed);

	if (was == key && atomic_load_explicit(&w->value, memory_order_relaxed) == value)
		return;
	if (was == BUSY || !atomic_compare_exchange_strong(&w->key, &was, BUSY))
		return;
	/* Releases: whoever reads the new value sees that the way is busy, and whoever reads the key sees its value. */
	atomic_store_explicit(&w->value, value, memory_order_release);
	atomic_store_explicit(&w->key, key, memory_order_release);
	if (was && was != key && !atomic_load_explicit(&r->forgetful, memory_order_relaxed))
		atomic_store(&r->forgetful, true);
}

uint64_t recent_keys_drop(struct recent_keys *r, uint64_t key)
{
	struct recent_way *w = find(place_of(r, key), key);
	uint64_t value = w ? atomic_load_explicit(&w->value, memory_order_acquire) : 0;

	return w && atomic_compare_exchange_strong(&w->key, &(uint64_t){ key }, 0) ? value : 0;
}
