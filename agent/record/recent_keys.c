#include "agent/record/recent_keys.h"

#define BUSY 1u

static NOINLINE struct recent_way *search(struct recent_set *s, uint64_t key)
{
	for (struct recent_way *w = s->way; w < s->way + RECENT_WAYS; w++)
		if (recent_way_has(w, key))
			return w;
	return NULL;
}

/* The way of this key, or NULL. */
ALWAYS_INLINE struct recent_way *find(struct recent_place p, uint64_t key)
{
	if (LIKELY(recent_way_has(p.home, key)))
		return p.home;
	return LIKELY(!atomic_load_explicit(&p.set->elsewhere, memory_order_relaxed)) ? NULL : search(p.set, key);
}

uint64_t recent_keys_get(struct recent_keys *r, uint64_t key)
{
	struct recent_way *w = find(recent_place_of(r, key), key);
	uint64_t value = w ? atomic_load_explicit(&w->value, memory_order_acquire) : 0;

	return w && recent_way_has(w, key) ? value : 0;
}

/* ---- a way for a key ---- */

/* What makes room for a key: nothing, in a table of what is lent also what was given back. */
enum room { NOTHING,
	    GIVEN_BACK };

static bool has_room(struct recent_way *w, enum room room)
{
	uint64_t key = atomic_load_explicit(&w->key, memory_order_acquire);

	return !key || (room == GIVEN_BACK && key != BUSY && atomic_load_explicit(&w->value, memory_order_relaxed) & RECENT_FREE);
}

/* One with room, or else the oldest. */
static NOINLINE struct recent_way *choose_elsewhere(struct recent_set *s, enum room room)
{
	atomic_store(&s->elsewhere, 1); /* before the key is: whoever is told of it looks for it there */
	for (struct recent_way *w = s->way; w < s->way + RECENT_WAYS; w++)
		if (has_room(w, room))
			return w;
	return &s->way[atomic_fetch_add(&s->next, 1) % RECENT_WAYS];
}

/* The way of this key, or one for it. */
ALWAYS_INLINE struct recent_way *choose(struct recent_place p, uint64_t key, enum room room)
{
	struct recent_way *w = find(p, key);

	if (w)
		return w;
	return LIKELY(has_room(p.home, room)) ? p.home : choose_elsewhere(p.set, room);
}

static void note_forgotten(struct recent_keys *r)
{
	if (!atomic_load_explicit(&r->forgetful, memory_order_relaxed))
		atomic_store(&r->forgetful, true);
}

/* Whoever comes second to the same way leaves it: one of both is forgotten, as if it were older. */
ALWAYS_INLINE void write(struct recent_keys *r, struct recent_way *w, uint64_t key, uint64_t value, enum room room)
{
	uint64_t was = atomic_load_explicit(&w->key, memory_order_relaxed);
	bool second = was == BUSY || !atomic_compare_exchange_strong(&w->key, &was, BUSY);
	bool free = !second && room == GIVEN_BACK && atomic_load_explicit(&w->value, memory_order_relaxed) & RECENT_FREE;

	if (!second) {
		/* Releases: whoever reads the new value sees that the way is busy, and whoever reads the key sees its value. */
		atomic_store_explicit(&w->value, value, memory_order_release);
		atomic_store_explicit(&w->key, key, memory_order_release);
	}
	if (was && was != key && !free)
		note_forgotten(r);
}

/* ---- what stays until it is dropped ---- */

void recent_keys_put(struct recent_keys *r, uint64_t key, uint64_t value)
{
	struct recent_way *w = choose(recent_place_of(r, key), key, NOTHING);

	if (!recent_way_has(w, key) || atomic_load_explicit(&w->value, memory_order_relaxed) != value)
		write(r, w, key, value, NOTHING);
}

uint64_t recent_keys_drop(struct recent_keys *r, uint64_t key)
{
	struct recent_way *w = find(recent_place_of(r, key), key);
	uint64_t value = w ? atomic_load_explicit(&w->value, memory_order_acquire) : 0;

	return w && atomic_compare_exchange_strong(&w->key, &(uint64_t){ key }, 0) ? value : 0;
}

/* ---- what is lent ---- */

void recent_keys_lend(struct recent_keys *r, uint64_t key, uint64_t value)
{
	struct recent_place p = recent_place_of(r, key);
	struct recent_way *w = find(p, key);
	uint64_t word = value | (key & RECENT_MARK);

	if (w)
		atomic_store_explicit(&w->value, word, memory_order_release);
	else
		write(r, choose(p, key, GIVEN_BACK), key, word, GIVEN_BACK);
}

uint64_t recent_keys_take(struct recent_keys *r, uint64_t key, bool keep)
{
	struct recent_way *w = find(recent_place_of(r, key), key);
	uint64_t mark = key & RECENT_MARK, word = w ? atomic_load_explicit(&w->value, memory_order_acquire) : mark | RECENT_FREE;

	if ((word & RECENT_MARK) != mark) /* another key's, where two stores have met: its own is gone */
		note_forgotten(r);
	if ((word ^ mark) >> RECENT_VALUE)
		return 0;
	if (!keep)
		atomic_store_explicit(&w->value, mark | RECENT_FREE, memory_order_relaxed);
	return word ^ mark;
}
