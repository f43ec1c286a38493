#include "hooks/capture/runtime/registered.h"
#include "agent/os/pages.h"
#include "agent/session/session.h"

#define BLOCKS 65536
#define STUBS  32 /* in a block */

/* A module's own, so that one thread writes it at a time. 0 is nobody's. */
struct registered_block {
	_Atomic(const void *) module; /* NULL: free */
	_Atomic uintptr_t least, most;
	_Atomic uint32_t stubs;
	uint32_t older; /* of the same module, or of those that are spare; 0: none */
	uint64_t number;
	struct {
		_Atomic(const void *) stub;
		_Atomic(const char *) name;
	} of[STUBS];
};

static struct registered_block *block_at(struct registered *of, uint32_t i)
{
	return &atomic_load_explicit(&of->blocks, memory_order_acquire)[i];
}

/* ---- blocks ---- */

/* Who comes while somebody else is here goes without: no thread waits for another, nor does a forked child for one that it lacks. */
static uint32_t take_spare(struct registered *of)
{
	uint32_t i;

	if (atomic_flag_test_and_set(&of->reusing))
		return 0;
	i = of->spare;
	of->spare = i ? block_at(of, i)->older : 0;
	atomic_flag_clear(&of->reusing);
	return i;
}

static void give_spare(struct registered *of, uint32_t newest, uint32_t oldest)
{
	if (atomic_flag_test_and_set(&of->reusing))
		return;
	block_at(of, oldest)->older = of->spare;
	of->spare = newest;
	atomic_flag_clear(&of->reusing);
}

/* 0: there is no more room. */
static uint32_t new_block(struct registered *of)
{
	uint32_t i = take_spare(of);

	if (i)
		return i;
	if (!pages_once(&of->blocks, BLOCKS * sizeof(struct registered_block)))
		return 0;
	i = atomic_load(&of->used);
	while (i < BLOCKS - 1 && !atomic_compare_exchange_weak(&of->used, &i, i + 1))
		;
	return i < BLOCKS - 1 ? i + 1 : 0;
}

/* A number of its own: blocks are used again, and then they are not in order. */
static struct registered_block *begin_block(struct registered *of, const void *module)
{
	static _Atomic uint64_t numbers;
	struct handle_slot *m = handles_get(&of->modules, (uintptr_t)module);
	uint32_t i = new_block(of);
	struct registered_block *b = i ? block_at(of, i) : NULL;

	if (!b)
		return NULL;
	atomic_store(&b->stubs, 0);
	atomic_store(&b->least, UINTPTR_MAX);
	atomic_store(&b->most, 0);
	b->older = m ? (uint32_t)atomic_load(&m->a) : 0;
	b->number = atomic_fetch_add(&numbers, 1);
	atomic_store(&b->module, module);
	return handles_put(&of->modules, (uintptr_t)module, i, 0) ? b : NULL;
}

/* ---- stubs ---- */

static void append(struct registered_block *b, const void *stub, const char *name)
{
	uint32_t n = atomic_load_explicit(&b->stubs, memory_order_relaxed);

	atomic_store_explicit(&b->of[n].name, name, memory_order_relaxed);
	atomic_store_explicit(&b->of[n].stub, stub, memory_order_release);
	if ((uintptr_t)stub < atomic_load_explicit(&b->least, memory_order_relaxed))
		atomic_store_explicit(&b->least, (uintptr_t)stub, memory_order_relaxed);
	if ((uintptr_t)stub > atomic_load_explicit(&b->most, memory_order_relaxed))
		atomic_store_explicit(&b->most, (uintptr_t)stub, memory_order_relaxed);
	atomic_store_explicit(&b->stubs, n + 1, memory_order_release);
}

void registered_add(struct registered *of, const void *module, const void *stub, const char *name)
{
	struct handle_slot *m = handles_get(&of->modules, (uintptr_t)module);
	struct registered_block *b = m ? block_at(of, (uint32_t)atomic_load_explicit(&m->a, memory_order_relaxed)) : NULL;

	if (!b || atomic_load_explicit(&b->stubs, memory_order_relaxed) == STUBS)
		b = begin_block(of, module);
	if (b) {
		append(b, stub, name);
		atomic_fetch_add_explicit(&of->count, 1, memory_order_release);
	} else {
		session_beyond(LIMIT_untracked_handles, 1);
	}
}

static const char *name_in(struct registered_block *b, const void *stub)
{
	uint32_t n = atomic_load_explicit(&b->stubs, memory_order_acquire);

	for (uint32_t i = 0; i < n; i++)
		if (atomic_load_explicit(&b->of[i].stub, memory_order_acquire) == stub)
			return atomic_load_explicit(&b->of[i].name, memory_order_relaxed);
	return NULL;
}

static bool may_have(struct registered_block *b, const void *stub)
{
	return atomic_load_explicit(&b->least, memory_order_relaxed) <= (uintptr_t)stub &&
	       (uintptr_t)stub <= atomic_load_explicit(&b->most, memory_order_relaxed) && atomic_load_explicit(&b->module, memory_order_relaxed);
}

const char *registered_name(struct registered *of, const void *stub, const void **module)
{
	uint32_t used = atomic_load(&of->used);
	const char *found = NULL, *name;
	uint64_t first = UINT64_MAX;

	for (uint32_t i = 1; i <= used; i++) {
		struct registered_block *b = block_at(of, i);

		name = may_have(b, stub) && b->number < first ? name_in(b, stub) : NULL;
		if (!name)
			continue;
		found = name;
		first = b->number;
		*module = atomic_load(&b->module);
	}
	return found;
}

void registered_end(struct registered *of, const void *module, void (*gone)(void *data, const void *stub), void *data)
{
	struct handle_slot *m = handles_get(&of->modules, (uintptr_t)module);
	uint32_t newest = m ? (uint32_t)atomic_load(&m->a) : 0, oldest = 0;

	handles_forget(m);
	for (uint32_t i = newest; i; i = block_at(of, i)->older) {
		struct registered_block *b = block_at(of, i);

		for (uint32_t n = 0; n < atomic_load(&b->stubs); n++)
			gone(data, atomic_load(&b->of[n].stub));
		atomic_store(&b->module, NULL);
		oldest = i;
	}
	if (oldest)
		give_spare(of, newest, oldest);
}
