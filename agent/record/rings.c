#include "agent/record/rings.h"
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/session/shared_memory.h"

static _Atomic(struct ring_header *) rings[RINGS_MAX];
static _Atomic unsigned int count;

#define USUAL_SHM_SIZE (256ull << 20) /* the default of shm_size */

/*
 * 1 MiB holds 65 ms at half a million calls a second; many threads share what tmpfs may give. Who gives
 * twice the shm_size gets rings of twice the size.
 */
static uint32_t slots_for(unsigned int number)
{
	uint32_t slots = number < 64 ? RING_SLOTS : number < 320 ? 8192
								 : 2048;

	for (uint64_t size = shared_memory_most(); size >= 2 * USUAL_SHM_SIZE && slots < RING_SLOTS_MAX; size /= 2)
		slots *= 2;
	return slots;
}

static struct ring_header *create(enum ring_state state)
{
	unsigned int number = atomic_fetch_add(&count, 1);
	struct ring_header *r;
	uint32_t slots;

	if (number >= RINGS_MAX) {
		atomic_fetch_sub(&count, 1);
		return NULL;
	}
	slots = slots_for(number);
	r = shared_memory_make("ring", number, SESSION_PAGE + (size_t)slots * sizeof(struct event));
	if (!r)
		return NULL; /* its place stays empty: readers skip it */
	r->id = number + 1;
	r->slots = slots;
	r->tail_tid = 0;
	atomic_store(&r->state, state);
	__atomic_store_n(&r->magic, RING_MAGIC, __ATOMIC_RELEASE);
	atomic_store(&rings[number], r);
	return r;
}

static struct ring_header *take(enum ring_state wanted)
{
	for (unsigned int i = 0; i < rings_count(); i++) {
		struct ring_header *r = rings_at(i);
		uint32_t state = wanted;

		/* Acquire: pairs with the release of ring_orphan(), so the old owner's head is seen. */
		if (r && atomic_load_explicit(&r->state, memory_order_relaxed) == state &&
		    atomic_compare_exchange_strong(&r->state, &state, RING_OWNED))
			return r;
	}
	return NULL;
}

struct ring_header *rings_acquire(void)
{
	struct ring_header *r = take(RING_FREE);

	if (!r)
		r = take(RING_ORPHAN);
	if (!r)
		r = create(RING_OWNED);
	if (r)
		atomic_store(&r->tid, (uint32_t)syscall(SYS_gettid));
	return r;
}

void ring_orphan(struct ring_header *r)
{
	atomic_store_explicit(&r->call_hook, 0, memory_order_relaxed);
	atomic_store_explicit(&r->state, RING_ORPHAN, memory_order_release);
}

/* First touch of a page costs two microseconds: not in somebody's training step. */
static void touch(struct ring_header *r)
{
	volatile char *page = (volatile char *)ring_slots(r);
	size_t size = r->slots * sizeof(struct event);

	for (size_t at = 0; at < size; at += SESSION_PAGE)
		page[at] = 0;
}

/* An orphan is as good as a fresh one while it has room: threads that come and go take over each other's. */
static bool is_ready(struct ring_header *r)
{
	uint32_t state = atomic_load(&r->state);

	return state == RING_FREE ||
	       (state == RING_ORPHAN && atomic_load(&r->head) - atomic_load(&r->tail) < r->slots / 2);
}

void rings_prepare(unsigned int spare)
{
	unsigned int ready = 0;

	for (unsigned int i = 0; i < rings_count(); i++) {
		struct ring_header *r = rings_at(i);

		ready += r && is_ready(r);
	}
	for (; ready < spare; ready++) {
		struct ring_header *r = create(RING_OWNED);

		if (!r)
			return;
		touch(r);
		atomic_store(&r->state, RING_FREE);
	}
}

unsigned int rings_count(void)
{
	unsigned int n = atomic_load(&count);

	return n < RINGS_MAX ? n : RINGS_MAX;
}

struct ring_header *rings_at(unsigned int i)
{
	return atomic_load_explicit(&rings[i], memory_order_acquire);
}

void rings_end(void)
{
	for (unsigned int i = 0; i < rings_count(); i++)
		shared_memory_unlink("ring", i);
}

void rings_forget(void)
{
	for (unsigned int i = 0; i < rings_count(); i++)
		atomic_store(&rings[i], NULL);
	atomic_store(&count, 0);
}
