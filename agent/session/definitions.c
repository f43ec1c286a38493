#include "agent/session/definitions.h"
#include <sched.h>
#include <string.h>
#include "agent/format/trace_file.h"
#include "agent/os/slow_path.h"
#include "agent/session/session.h"
#include "agent/session/shared_memory.h"

#define LONGEST 60000 /* bytes of a definition; of a longer text its beginning */

static _Atomic(struct definitions_header *) segments[DEFINITIONS_SEGMENTS];
static _Atomic unsigned int count;
static _Atomic uint64_t ids;
static atomic_flag busy = ATOMIC_FLAG_INIT;

/* Bounded: a signal handler may have interrupted the holder, and waiting for it would never end. */
static bool lock(void)
{
	for (int i = 0; i < 2000; i++) {
		if (!atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
			return true;
		if (i > 100)
			sched_yield();
	}
	return false;
}

static void unlock(void)
{
	atomic_flag_clear_explicit(&busy, memory_order_release);
}

static struct definitions_header *segment_with(size_t size)
{
	unsigned int n = atomic_load(&count);
	struct definitions_header *s = n ? atomic_load(&segments[n - 1]) : NULL;

	if (s && sizeof(*s) + s->used + size <= s->size)
		return s;
	if (n == DEFINITIONS_SEGMENTS)
		return NULL;
	s = shared_memory_make("definitions", n, DEFINITIONS_SEGMENT);
	if (!s)
		return NULL;
	s->index = n;
	s->size = DEFINITIONS_SEGMENT;
	s->used = 0;
	s->magic = DEFINITIONS_MAGIC;
	atomic_store(&segments[n], s);
	atomic_store(&count, n + 1);
	return s;
}

static bool append(const struct definition *d, const void *a, size_t a_size, const void *b, size_t b_size)
{
	size_t padded = (d->length + 7u) & ~7u;
	struct definitions_header *s = segment_with(padded);
	uint64_t used;
	char *at;

	if (!s)
		return false;
	used = atomic_load_explicit(&s->used, memory_order_relaxed);
	at = (char *)(s + 1) + used;
	memcpy(at, d, sizeof(*d));
	memcpy(at + sizeof(*d), a, a_size);
	memcpy(at + sizeof(*d) + a_size, b, b_size);
	memset(at + d->length, 0, padded - d->length);
	/* Publishes the definition: pairs with the acquire in definitions_read(), and with recovery. */
	atomic_store_explicit(&s->used, used + padded, memory_order_release);
	return true;
}

bool definitions_add(enum definition_type type, uint64_t id, const void *a, size_t a_size,
		     const void *b, size_t b_size)
{
	struct definition d = { .type = (uint16_t)type, .id = id };
	struct slow_path guard;
	bool done;

	a_size = a_size < LONGEST ? a_size : LONGEST;
	b_size = b_size < LONGEST - a_size ? b_size : LONGEST - a_size;
	d.length = (uint32_t)(sizeof(d) + a_size + b_size);
	guard = slow_path_begin();
	done = lock();
	if (done) {
		done = append(&d, a, a_size, b ? b : "", b_size);
		unlock();
	}
	if (!done)
		session_beyond(LIMIT_lost_definitions, 1);
	slow_path_end(guard);
	return done;
}

bool definitions_text(enum definition_type type, uint64_t id, const char *text)
{
	return definitions_add(type, id, text, strlen(text), NULL, 0);
}

uint64_t definitions_id(void)
{
	return atomic_fetch_add(&ids, 1) + 1;
}

size_t definitions_read(struct definitions_place *place, const void **bytes)
{
	for (;;) {
		/* Asked first: a segment that has a successor does not grow any more. */
		bool closed = place->segment + 1 < atomic_load(&count);
		struct definitions_header *s = atomic_load(&segments[place->segment]);
		uint64_t used = s ? atomic_load_explicit(&s->used, memory_order_acquire) : 0;
		size_t n = used - place->offset;

		if (n) {
			*bytes = (const char *)(s + 1) + place->offset;
			place->offset = used;
			return n;
		}
		if (!closed)
			return 0;
		place->segment++;
		place->offset = 0;
	}
}

size_t definitions_without_old_epochs(uint8_t *to, const uint8_t *from, size_t size)
{
	struct definition d, epoch = { 0 };
	size_t n = 0, epoch_at = 0;

	for (size_t at = 0, padded; at < size; at += padded) {
		size_t place = n;

		memcpy(&d, from + at, sizeof(d));
		padded = (d.length + 7u) & ~7u;
		if (d.type == DEF_EPOCH && epoch.length == d.length && epoch.id == d.id)
			place = epoch_at;
		memcpy(to + place, from + at, padded);
		n += place == n ? padded : 0;
		if (d.type != DEF_EPOCH)
			continue;
		epoch = d;
		epoch_at = place;
	}
	return n;
}

void definitions_end(void)
{
	for (unsigned int i = 0; i < atomic_load(&count); i++)
		shared_memory_unlink("definitions", i);
}

void definitions_forget(void)
{
	atomic_store(&count, 0);
	atomic_store(&segments[0], NULL);
	unlock();
}
