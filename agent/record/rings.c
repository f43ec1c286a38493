#include "agent/record/rings.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "agent/session/session.h"
#include "agent/session/shared_memory.h"

static _Atomic(struct ring_header *) rings[RINGS_MAX];
static _Atomic unsigned int count;
static _Atomic uint64_t orders;	       /* so often has a thread taken a ring */
static _Atomic unsigned int went_on;   /* threads that had to go on in another ring, since the flush thread looked */
static _Atomic bool none_left;	       /* and none was to be had, nor will be until some are emptied */
static _Atomic unsigned int spare_now; /* what is kept ready; 0: as many as always */
static uint64_t went_on_ms;	       /* when the last one was seen; of the flush thread */

#define USUAL_SHM_SIZE (256ull << 20) /* the default of shm_size */
#define SPARE_MOST     64	      /* of the usual size: 64 MiB */
#define SLOTS_LEAST    2048	      /* 64 KiB */
#define MANY_MS	       1000	      /* so long nobody went on: what is too much is given back */

/*
 * 1 MiB holds 65 ms at half a million calls a second; many threads share what tmpfs may give. Who gives
 * twice the shm_size gets rings of twice the size.
 */
static uint32_t slots_for(unsigned int number)
{
	uint32_t slots = number < 64 ? RING_SLOTS : number < 320 ? 8192
								 : SLOTS_LEAST;

	for (uint64_t size = shared_memory_most(); size >= 2 * USUAL_SHM_SIZE && slots < RING_SLOTS_MAX; size /= 2)
		slots *= 2;
	return slots;
}

static size_t slots_size(const struct ring_header *r)
{
	return (size_t)r->slots * sizeof(struct event);
}

static bool may_grow(void)
{
	return shared_memory_may_grow((size_t)slots_for(0) * sizeof(struct event));
}

static struct ring_header *create(uint32_t slots)
{
	unsigned int number = atomic_fetch_add(&count, 1), next = number + 1;
	struct ring_header *r;
	enum backing from;
	bool head_stays;

	if (number >= RINGS_MAX) {
		atomic_fetch_sub(&count, 1);
		return NULL;
	}
	r = shared_memory_make_headed("ring", number, SESSION_PAGE + (size_t)slots * sizeof(struct event), &from, &head_stays);
	if (!r) {
		atomic_compare_exchange_strong(&count, &next, number); /* or its place stays empty: readers skip it */
		return NULL;
	}
	r->id = r->place = number + 1;
	r->slots = slots;
	r->backing = from;
	r->tail_tid = 0;
	atomic_store(&r->state, RING_OWNED);
	__atomic_store_n(&r->magic, RING_MAGIC, __ATOMIC_RELEASE);
	atomic_store(&rings[number], r);
	if (!head_stays)
		atomic_fetch_add(&session->unsafe_rings, 1);
	return r;
}

static uint64_t waiting(struct ring_header *r)
{
	return atomic_load(&r->head) - atomic_load(&r->tail);
}

static bool claim(struct ring_header *r, uint32_t state)
{
	/* Acquire: pairs with the release of ring_orphan(), so the old owner's head is seen. */
	return atomic_load_explicit(&r->state, memory_order_relaxed) == state &&
	       atomic_compare_exchange_strong(&r->state, &state, RING_OWNED);
}

/* How much a ring may hold whose next owner shall have room. */
enum room { ALL_OF_IT,
	    HALF_OF_IT,
	    SOME_OF_IT };

static bool has_room(struct ring_header *r, enum room room)
{
	uint64_t n = waiting(r);

	return room == ALL_OF_IT ? !n : n < (room == HALF_OF_IT ? r->slots / 2 : r->slots - r->slots / 8);
}

/* One in this state, if it has room: looked at again when it is ours, for it may have changed hands in between. */
static struct ring_header *take(enum ring_state state, enum room room)
{
	for (unsigned int i = 0; i < rings_count(); i++) {
		struct ring_header *r = rings_at(i);

		if (!r || atomic_load_explicit(&r->state, memory_order_relaxed) != state || !has_room(r, room) || !claim(r, state))
			continue;
		if (has_room(r, room))
			return r;
		atomic_store_explicit(&r->state, state, memory_order_release);
	}
	return NULL;
}

/* One whose memory was given back, or a new one. */
static struct ring_header *more(uint32_t slots)
{
	struct ring_header *r = take(RING_RETURNED, ALL_OF_IT);

	if (!r)
		return create(slots);
	if (shared_memory_refill(ring_slots(r), slots_size(r), r->backing))
		return r;
	atomic_store(&r->state, RING_RETURNED);
	return NULL;
}

static struct ring_header *owned(struct ring_header *r)
{
	if (!r)
		return NULL;
	if (!waiting(r))
		atomic_store(&r->before, 0);
	r->order = atomic_fetch_add(&orders, 1) + 1;
	atomic_store(&r->full, 0);
	atomic_store(&r->tid, (uint32_t)syscall(SYS_gettid));
	atomic_store(&r->owner, atomic_load(&r->tid));
	return r;
}

/* What runs when a thread ends may call us after we have said goodbye to it: then nobody says that its ring is free. */
static unsigned int take_from_the_dead(void)
{
	int process = getpid();
	unsigned int n = 0;

	for (unsigned int i = 0; i < rings_count(); i++) {
		struct ring_header *r = rings_at(i);
		uint32_t owner = r ? atomic_load(&r->owner) : 0;

		if (!owner || !syscall(SYS_tgkill, process, owner, 0) || errno != ESRCH || !atomic_compare_exchange_strong(&r->owner, &owner, 0))
			continue;
		ring_orphan(r);
		n++;
	}
	return n;
}

/* A thread without any does with what still has room. */
static struct ring_header *more_or_smaller(uint32_t slots)
{
	struct ring_header *r = more(slots);

	while (!r && (slots /= 4) >= SLOTS_LEAST)
		r = create(slots);
	return r;
}

struct ring_header *rings_acquire(void)
{
	struct ring_header *r = take(RING_FREE, ALL_OF_IT);

	if (!r)
		r = take(RING_ORPHAN, HALF_OF_IT);
	if (!r)
		r = more_or_smaller(slots_for(rings_count()));
	if (!r && (r = take(RING_ORPHAN, SOME_OF_IT)) == NULL && take_from_the_dead())
		r = take(RING_ORPHAN, SOME_OF_IT);
	return owned(r);
}

bool rings_are_out(void)
{
	return atomic_load_explicit(&none_left, memory_order_relaxed);
}

struct ring_header *rings_next(void)
{
	struct ring_header *r;

	atomic_fetch_add(&went_on, 1);
	r = take(RING_FREE, ALL_OF_IT);
	if (!r)
		r = take(RING_ORPHAN, ALL_OF_IT);
	if (!r && may_grow())
		r = more(slots_for(0));
	if (!r)
		atomic_store(&none_left, true);
	return owned(r);
}

void ring_orphan(struct ring_header *r)
{
	atomic_store_explicit(&r->call_hook, 0, memory_order_relaxed);
	atomic_store_explicit(&r->owner, 0, memory_order_relaxed);
	atomic_store_explicit(&r->state, RING_ORPHAN, memory_order_release);
}

/* ---- by the flush thread ---- */

/* First touch of a page costs two microseconds: not in somebody's training step. */
static void touch(struct ring_header *r)
{
	volatile char *page = (volatile char *)ring_slots(r);

	for (size_t at = 0; at < slots_size(r); at += SESSION_PAGE)
		page[at] = 0;
}

/* An orphan is as good as a fresh one while it has room: threads that come and go take over each other's. */
static bool is_ready(struct ring_header *r)
{
	uint32_t state = atomic_load(&r->state);

	return state == RING_FREE || (state == RING_ORPHAN && waiting(r) < r->slots / 2);
}

static unsigned int count_ready(void)
{
	unsigned int ready = 0;

	for (unsigned int i = 0; i < rings_count(); i++) {
		struct ring_header *r = rings_at(i);

		ready += r && is_ready(r);
	}
	return ready;
}

/* Gives back the memory of `n` that nobody has, and that hold nothing. */
static void give_back(unsigned int n)
{
	for (unsigned int i = rings_count(); i-- && n;) {
		struct ring_header *r = rings_at(i);
		uint32_t state = r ? atomic_load(&r->state) : RING_OWNED;

		if ((state != RING_FREE && state != RING_ORPHAN) || waiting(r) || !claim(r, state))
			continue;
		if (!waiting(r) && shared_memory_return(ring_slots(r), slots_size(r), r->backing))
			state = RING_RETURNED;
		atomic_store_explicit(&r->state, state, memory_order_release);
		n--;
	}
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* How many are to be ready, after what threads had to do since the last look. */
static unsigned int wanted(unsigned int spare)
{
	unsigned int was = atomic_load(&spare_now);

	was = was > spare ? was : spare;
	if (atomic_exchange(&went_on, 0)) {
		shared_memory_look();
		went_on_ms = now_ms();
		was = 2 * was < SPARE_MOST ? 2 * was : SPARE_MOST;
	} else if (was > spare && now_ms() - went_on_ms >= MANY_MS) {
		was = spare;
	}
	atomic_store(&spare_now, was > spare ? was : 0);
	return was;
}

bool rings_are_many(void)
{
	return atomic_load(&spare_now);
}

void rings_emptied(void)
{
	atomic_store(&none_left, false);
}

void rings_prepare(unsigned int spare)
{
	bool many = rings_are_many();
	unsigned int want = wanted(spare), ready = count_ready();
	struct ring_header *r;

	if (ready < want)
		ready += take_from_the_dead();
	if (many && !rings_are_many() && ready > want)
		give_back(ready - want);
	for (; ready < want && (ready < spare || may_grow()) && (r = more(slots_for(ready < spare ? rings_count() : 0))); ready++) {
		touch(r);
		atomic_store(&r->state, RING_FREE);
	}
}

void rings_no_more(void)
{
	give_back(rings_count());
}

/* ---- all of them ---- */

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
	atomic_store(&orders, 0);
	atomic_store(&went_on, 0);
	atomic_store(&none_left, false);
	atomic_store(&spare_now, 0);
}
