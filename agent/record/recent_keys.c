#include "agent/record/recent_keys.h"

#define BUSY 1u

/*
 * The bits of the product from 40 on are the number of a set; the three above those, of the way where a key is first looked for: it is
 * in no other as long as no key of the set is `elsewhere`.
 */
static struct recent_set *set_of(struct recent_keys *r, uint64_t product)
{
	return &r->set[product >> 40 & (RECENT_SETS - 1)];
}

static unsigned int home_of(uint64_t product)
{
	return product >> 61;
}
_Static_assert(RECENT_WAYS == 8 && RECENT_SETS <= 1 << (61 - 40), "three bits, and enough below them");

static uint64_t product_of(uint64_t key)
{
	return key * 0x9E3779B97F4A7C15ull;
}

static bool is_at(struct recent_set *s, unsigned int way, uint64_t key)
{
	return atomic_load_explicit(&s->way[way].key, memory_order_acquire) == key;
}

static bool none_is_elsewhere(struct recent_set *s)
{
	return !atomic_load_explicit(&s->elsewhere, memory_order_relaxed);
}

/* RECENT_WAYS: nowhere. */
static NOINLINE unsigned int find_in(struct recent_set *s, uint64_t key)
{
	unsigned int i;

	for (i = 0; i < RECENT_WAYS && !is_at(s, i, key); i++)
		;
	return i;
}

ALWAYS_INLINE unsigned int find(struct recent_set *s, unsigned int home, uint64_t key)
{
	if (LIKELY(is_at(s, home, key)))
		return home;
	return LIKELY(none_is_elsewhere(s)) ? RECENT_WAYS : find_in(s, key);
}

uint64_t recent_keys_get(struct recent_keys *r, uint64_t key)
{
	uint64_t product = product_of(key), value;
	struct recent_set *s = set_of(r, product);
	unsigned int i = find(s, home_of(product), key);

	if (i == RECENT_WAYS)
		return 0;
	value = atomic_load_explicit(&s->way[i].value, memory_order_acquire);
	return atomic_load_explicit(&s->way[i].key, memory_order_relaxed) == key ? value : 0;
}

/* A free way, or else the oldest. */
static NOINLINE unsigned int choose_elsewhere(struct recent_set *s)
{
	unsigned int i;

	atomic_store(&s->elsewhere, 1); /* before the key is: whoever is told of it looks for it there */
	i = find_in(s, 0);
	return i < RECENT_WAYS ? i : atomic_fetch_add(&s->next, 1) % RECENT_WAYS;
}

/* The way of this key, or one for it. */
ALWAYS_INLINE unsigned int choose(struct recent_set *s, unsigned int home, uint64_t key)
{
	unsigned int i = find(s, home, key);

	if (i < RECENT_WAYS)
		return i;
	return LIKELY(is_at(s, home, 0)) ? home : choose_elsewhere(s);
}

/* Whoever comes second to the same way leaves it: one of both is forgotten, as if it were older. */
void recent_keys_put(struct recent_keys *r, uint64_t key, uint64_t value)
{
	uint64_t product = product_of(key), was;
	struct recent_set *s = set_of(r, product);
	struct recent_way *way = &s->way[choose(s, home_of(product), key)];

	was = atomic_load_explicit(&way->key, memory_order_relaxed);
	if (was == key && atomic_load_explicit(&way->value, memory_order_relaxed) == value)
		return;
	if (was == BUSY || !atomic_compare_exchange_strong(&way->key, &was, BUSY))
		return;
	/* Releases: whoever reads the new value sees that the way is busy, and whoever reads the key sees its value. */
	atomic_store_explicit(&way->value, value, memory_order_release);
	atomic_store_explicit(&way->key, key, memory_order_release);
	if (was && was != key && !atomic_load_explicit(&r->forgetful, memory_order_relaxed))
		atomic_store(&r->forgetful, true);
}

uint64_t recent_keys_drop(struct recent_keys *r, uint64_t key)
{
	uint64_t product = product_of(key), value;
	struct recent_set *s = set_of(r, product);
	unsigned int i = find(s, home_of(product), key);

	if (i == RECENT_WAYS)
		return 0;
	value = atomic_load_explicit(&s->way[i].value, memory_order_acquire);
	return atomic_compare_exchange_strong(&s->way[i].key, &(uint64_t){ key }, 0) ? value : 0;
}
