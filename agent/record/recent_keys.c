#include "agent/record/recent_keys.h"

#define BUSY 1u

static struct recent_set *set_of(struct recent_keys *r, uint64_t key)
{
	return &r->set[key * 0x9E3779B97F4A7C15ull >> 40 & (RECENT_SETS - 1)];
}

static unsigned int find(struct recent_set *s, uint64_t key)
{
	unsigned int i;

	for (i = 0; i < RECENT_WAYS; i++)
		if (atomic_load_explicit(&s->key[i], memory_order_acquire) == key)
			break;
	return i;
}

uint64_t recent_keys_get(struct recent_keys *r, uint64_t key)
{
	struct recent_set *s = set_of(r, key);
	unsigned int i = find(s, key);
	uint64_t value;

	if (i == RECENT_WAYS)
		return 0;
	value = atomic_load_explicit(&s->value[i], memory_order_acquire);
	return atomic_load_explicit(&s->key[i], memory_order_relaxed) == key ? value : 0;
}

/* The way of this key, or a free one, or else the oldest. */
static unsigned int choose(struct recent_set *s, uint64_t key)
{
	unsigned int i = find(s, key);

	if (i == RECENT_WAYS)
		i = find(s, 0);
	return i < RECENT_WAYS ? i : atomic_fetch_add(&s->next, 1) % RECENT_WAYS;
}

/* Whoever comes second to the same way leaves it: one of both is forgotten, as if it were older. */
void recent_keys_put(struct recent_keys *r, uint64_t key, uint64_t value)
{
	struct recent_set *s = set_of(r, key);
	unsigned int i = choose(s, key);
	uint64_t was = atomic_load_explicit(&s->key[i], memory_order_relaxed);

	if (was == key && atomic_load_explicit(&s->value[i], memory_order_relaxed) == value)
		return;
	if (was == BUSY || !atomic_compare_exchange_strong(&s->key[i], &was, BUSY))
		return;
	/* Releases: whoever reads the new value sees that the way is busy, and whoever reads the key sees its value. */
	atomic_store_explicit(&s->value[i], value, memory_order_release);
	atomic_store_explicit(&s->key[i], key, memory_order_release);
	if (was && was != key && !atomic_load_explicit(&r->forgetful, memory_order_relaxed))
		atomic_store(&r->forgetful, true);
}

void recent_keys_drop(struct recent_keys *r, uint64_t key)
{
	struct recent_set *s = set_of(r, key);
	unsigned int i = find(s, key);

	if (i < RECENT_WAYS)
		atomic_compare_exchange_strong(&s->key[i], &(uint64_t){ key }, 0);
}
