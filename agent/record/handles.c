#include "agent/record/handles.h"
#include "agent/os/pages.h"

#define HANDLES_PROBES 4096u /* beyond that the table counts as full */

static struct handle_slot *slots_of(struct handles *t)
{
	struct handle_slot *slots = atomic_load_explicit(&t->slots, memory_order_acquire);

	return slots ? slots : pages_once(&t->slots, HANDLES_SLOTS * sizeof(*slots));
}

struct handle_slot *handles_get(struct handles *t, uint64_t key)
{
	struct handle_slot *usual = handles_peek(t, key);
	struct handle_slot *slots = atomic_load_explicit(&t->slots, memory_order_acquire);
	uint64_t at = handles_hash(key);

	if (LIKELY(usual))
		return usual;
	for (uint32_t i = 0; slots && key && i < HANDLES_PROBES; i++) {
		struct handle_slot *s = &slots[(at + i) % HANDLES_SLOTS];
		uint64_t found = atomic_load_explicit(&s->key, memory_order_acquire);

		if (found == key)
			return atomic_load_explicit(&s->alive, memory_order_acquire) == key + 1 ? s : NULL;
		if (!found)
			return NULL;
	}
	return NULL;
}

/* A fresh handle is put by the one thread that created it, so two threads never race for one key. */
static struct handle_slot *claim(struct handle_slot *slots, uint64_t key)
{
	struct handle_slot *free_slot = NULL;
	uint64_t at = handles_hash(key), free_key = 0;

	for (uint32_t i = 0; i < HANDLES_PROBES; i++) {
		struct handle_slot *s = &slots[(at + i) % HANDLES_SLOTS];
		uint64_t found = atomic_load_explicit(&s->key, memory_order_acquire);

		if (found == key)
			return s;
		if (!free_slot && (!found || !atomic_load(&s->alive))) {
			free_slot = s;
			free_key = found;
		}
		if (!found)
			break;
	}
	if (!free_slot)
		return NULL;
	if (!atomic_compare_exchange_strong(&free_slot->key, &free_key, key))
		return free_key == key ? free_slot : claim(slots, key);
	return free_slot;
}

struct handle_slot *handles_put(struct handles *t, uint64_t key, uint64_t a, uint64_t b)
{
	struct handle_slot *slots = key ? slots_of(t) : NULL;
	struct handle_slot *s = slots ? claim(slots, key) : NULL;

	if (!s)
		return NULL;
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
