#include "agent/record/handles.h"
#include "agent/os/pages.h"
#include "agent/session/session.h"

#define FIRST_BITS 17 /* a table's slots, as a power of two; */
#define MORE_BITS  2  /* the next one's; */
#define MOST_BITS  23 /* the last one's */
#define PROBES	   16 /* a handle is in one of so many slots, or in an older table */

/* A table: this page, then the slots, and behind them those that the last ones' probes go on to. */
struct table {
	struct handle_slot *older; /* slots; NULL: there are none */
	uint64_t mask;
	char page[4096 - sizeof(void *) - sizeof(uint64_t)];
	struct handle_slot slots[];
};

static struct table *table_of(struct handle_slot *slots)
{
	return (struct table *)(void *)((char *)slots - offsetof(struct table, slots));
}

static struct handle_slot *newest_of(struct handles *t)
{
	return atomic_load_explicit(&t->slots, memory_order_acquire);
}

static struct handle_slot *home_of(struct handle_slot *slots, uint64_t key)
{
	return handles_home(slots, table_of(slots)->mask, key);
}

/* ---- a larger one ---- */

/* A mask that comes late is of fewer slots than there are by now: then handles_peek() looks in vain, no more. */
static void publish_mask(struct handles *t, uint64_t mask)
{
	uint64_t was = atomic_load(&t->mask);

	while (was < mask && !atomic_compare_exchange_weak(&t->mask, &was, mask))
		;
}

/* Puts a table in front of `older`; the newest one then, whoever made it. NULL: there is no more. */
static struct handle_slot *grow(struct handles *t, struct handle_slot *older)
{
	uint64_t mask = older ? table_of(older)->mask << MORE_BITS | HANDLES_MASK(MORE_BITS) : HANDLES_MASK(FIRST_BITS);
	size_t size = sizeof(struct table) + mask + (1 + PROBES) * sizeof(struct handle_slot);
	struct handle_slot *newest = older;
	struct table *table;

	if (mask > HANDLES_MASK(MOST_BITS))
		return NULL;
	table = pages_take(size);
	if (!table)
		return NULL;
	table->older = older;
	table->mask = mask;
	if (!atomic_compare_exchange_strong(&t->slots, &newest, table->slots)) {
		pages_give(table, size);
		return newest;
	}
	publish_mask(t, mask);
	return table->slots;
}

/* ---- looking ---- */

static bool is_free(struct handle_slot *s)
{
	return !atomic_load_explicit(&s->alive, memory_order_acquire);
}

static bool is_alive(struct handle_slot *s, uint64_t key)
{
	return atomic_load_explicit(&s->alive, memory_order_acquire) == key + 1;
}

/* Nobody ever went past a slot that was never taken. */
static struct handle_slot *find(struct handle_slot *slots, uint64_t key)
{
	struct handle_slot *s = home_of(slots, key);

	for (unsigned int i = 0; i < PROBES; i++, s++) {
		if (is_alive(s, key))
			return s;
		if (is_free(s) && !atomic_load_explicit(&s->key, memory_order_acquire))
			return NULL;
	}
	return NULL;
}

static struct handle_slot *find_from(struct handle_slot *slots, uint64_t key)
{
	struct handle_slot *s = NULL;

	for (; slots && !s; slots = table_of(slots)->older)
		s = find(slots, key);
	return s;
}

struct handle_slot *handles_get(struct handles *t, uint64_t key)
{
	struct handle_slot *usual;

	if (UNLIKELY(key + 1 < 2)) /* a free slot looks as if it were that of -1 */
		return NULL;
	usual = handles_peek(t, key);
	return LIKELY(usual) ? usual : find_from(newest_of(t), key);
}

/* ---- putting ---- */

/* What is taken is nobody else's business until it is alive. */
static bool take(struct handle_slot *s)
{
	uint64_t none = 0;

	return atomic_compare_exchange_strong(&s->alive, &none, HANDLES_TAKEN);
}

static bool had(struct handle_slot *s, uint64_t key)
{
	return atomic_load_explicit(&s->key, memory_order_acquire) == key;
}

/*
 * The slot of this key, or a free one for it, taken. A fresh handle is put by the one thread that created it, so two
 * threads never race for one key.
 */
static struct handle_slot *claim(struct handle_slot *slots, uint64_t key)
{
	struct handle_slot *s = home_of(slots, key), *free_slot = NULL;

	for (unsigned int i = 0; i < PROBES; i++, s++) {
		if (is_alive(s, key))
			return s;
		if (!is_free(s))
			continue;
		if (!free_slot)
			free_slot = s;
		if (had(s, 0))
			break;
	}
	if (!free_slot)
		return NULL;
	return take(free_slot) ? free_slot : claim(slots, key);
}

/* Where it is, in whichever table, or a free one in the newest. */
static NOINLINE struct handle_slot *slot_for(struct handles *t, struct handle_slot *slots, uint64_t key)
{
	struct handle_slot *s;

	if (!slots)
		slots = grow(t, NULL);
	if (!slots)
		return NULL;
	s = find_from(table_of(slots)->older, key);
	while (!s && slots) {
		s = claim(slots, key);
		if (!s)
			slots = grow(t, slots);
	}
	return s;
}

/* The usual case: there is one table, and the very place where the handle belongs was never another's. */
static struct handle_slot *usual_slot(struct handle_slot *slots, uint64_t key)
{
	struct handle_slot *s;
	uint64_t before;

	if (UNLIKELY(!slots || table_of(slots)->older))
		return NULL;
	s = home_of(slots, key);
	before = atomic_load_explicit(&s->key, memory_order_acquire);
	return LIKELY(!before || before == key) && take(s) ? s : NULL;
}

struct handle_slot *handles_put(struct handles *t, uint64_t key, uint64_t a, uint64_t b)
{
	struct handle_slot *slots = newest_of(t), *s;

	if (UNLIKELY(key + 1 < 2))
		return NULL;
	s = usual_slot(slots, key);
	if (!s)
		s = slot_for(t, slots, key);
	if (UNLIKELY(!s)) {
		session_beyond(LIMIT_untracked_handles, 1);
		return NULL;
	}
	atomic_store_explicit(&s->key, key, memory_order_relaxed);
	atomic_store_explicit(&s->a, a, memory_order_relaxed);
	atomic_store_explicit(&s->b, b, memory_order_relaxed);
	atomic_store_explicit(&s->alive, key + 1, memory_order_release);
	return s;
}

void handles_forget(struct handle_slot *slot)
{
	if (slot)
		atomic_store_explicit(&slot->alive, 0, memory_order_release);
}

void handles_retain(struct handles *t, uint64_t key)
{
	struct handle_slot *s = handles_get(t, key);

	if (s)
		atomic_fetch_add(&s->b, 1);
}

struct handle_slot *handles_release(struct handles *t, uint64_t key)
{
	struct handle_slot *s = handles_get(t, key);

	return s && (uint32_t)atomic_fetch_sub(&s->b, 1) == 1 ? s : NULL;
}

void handles_each(struct handles *t, void (*visit)(struct handle_slot *s, void *data), void *data)
{
	struct handle_slot *slots = newest_of(t);

	for (; slots; slots = table_of(slots)->older) {
		size_t n = table_of(slots)->mask / sizeof(*slots) + 1 + PROBES;

		for (struct handle_slot *s = slots; s < slots + n; s++)
			if (!is_free(s) && is_alive(s, atomic_load(&s->key)))
				visit(s, data);
	}
}
