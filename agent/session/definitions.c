#include "agent/session/definitions.h"
#include <pthread.h>
#include <string.h>
#include "agent/format/limits.h"
#include "agent/format/session_files.h"
#include "agent/format/trace_file.h"
#include "agent/os/bounded_lock.h"
#include "agent/os/clock.h"
#include "agent/os/slow_path.h"
#include "agent/session/session.h"
#include "agent/session/shared_memory.h"

struct log {
	_Atomic(struct definitions_header *) segments[DEFINITIONS_SEGMENTS];
	_Atomic unsigned int count, first;	   /* of its segments ever; the first that is still to be read */
	struct definitions_header *spare;	   /* released, one behind the other */
	_Atomic(struct definitions_header *) made; /* without the lock, one behind the other: not spare yet */
};

static struct log logs[LOGS];
static _Atomic unsigned int files;
static _Atomic uint64_t refused; /* ticks when there was no more memory; 0: there was */
static unsigned int order;
static _Atomic uint64_t ids;
static struct bounded_lock writing;

static enum definitions_log log_of(uint16_t type)
{
	switch (type) {
	case DEF_EPOCH:
	case DEF_STAGE:
	case DEF_PLACE:
		return LOG_EPOCHS;
	case DEF_STRING:
	case DEF_LAUNCH:
	case DEF_SHAPES:
	case DEF_COLLECTIVE:
	case DEF_MARKER:
	case DEF_GRAPH:
	case DEF_STACK:
	case DEF_CODE:
	case DEF_MODULE:
		return LOG_NAMED;
	default:
		return LOG_LASTING;
	}
}

static bool lock(void)
{
	return bounded_lock_take(&writing, (uintptr_t)pthread_self());
}

static void unlock(void)
{
	bounded_lock_leave(&writing);
}

static struct definitions_header *segment_at(struct log *l, unsigned int n)
{
	return atomic_load(&l->segments[n % DEFINITIONS_SEGMENTS]);
}

/* Where a spare one leads to the next. */
static struct definitions_header **next_spare(struct definitions_header *s)
{
	return (struct definitions_header **)(void *)(s + 1);
}

static void put_spare(struct log *l, struct definitions_header *s)
{
	atomic_store(&s->used, 0);
	*next_spare(s) = l->spare;
	l->spare = s;
}

static struct definitions_header *take_spare(struct log *l)
{
	struct definitions_header *s = l->spare;

	if (!s)
		return NULL;
	l->spare = *next_spare(s);
	s->index = order++;
	return s;
}

/* To be refused takes milliseconds, and every launch would ask again: for a tenth of a second the answer stays. */
static bool was_refused(void)
{
	uint64_t when = atomic_load(&refused);

	return when && clock_passed(clock_ticks() - when) < clock_hz() / 10;
}

/* Without the lock: it takes a hundred times as long as what is done under it. */
static struct definitions_header *make_segment(struct log *l)
{
	size_t size = l == &logs[LOG_NAMED] ? DEFINITIONS_SEGMENT : DEFINITIONS_SEGMENT_SMALL;
	unsigned int number = atomic_fetch_add(&files, 1), next = number + 1;
	struct definitions_header *s = shared_memory_make("definitions", number, size);

	if (!s) {
		atomic_compare_exchange_strong(&files, &next, number);
		atomic_store(&refused, clock_ticks());
		return NULL;
	}
	s->size = size;
	s->magic = DEFINITIONS_MAGIC;
	return s;
}

static bool has_room(const struct definitions_header *s, size_t size)
{
	return s && sizeof(*s) + s->used + size <= s->size;
}

static struct definitions_header *segment_with(struct log *l, size_t size)
{
	unsigned int n = atomic_load(&l->count);
	struct definitions_header *s = n ? segment_at(l, n - 1) : NULL;

	if (has_room(s, size))
		return s;
	if (n - atomic_load(&l->first) == DEFINITIONS_SEGMENTS || !(s = take_spare(l)))
		return NULL;
	atomic_store(&l->segments[n % DEFINITIONS_SEGMENTS], s);
	atomic_store(&l->count, n + 1);
	return s;
}

#define SHARE_OF_NAMED	 2 /* of shm_size */
#define SHARE_OF_DETAILS 4

static bool is_detail(const struct definition *d, const void *body)
{
	return d->type == DEF_SHAPES || d->type == DEF_GRAPH || d->type == DEF_STACK || d->type == DEF_CODE || d->type == DEF_MODULE || (d->type == DEF_LAUNCH && ((const struct def_launch *)body)->dimensions);
}

static bool may_have(const struct log *l, const struct definition *d, const void *body)
{
	uint64_t have = (uint64_t)atomic_load(&l->count) * DEFINITIONS_SEGMENT;

	return l != &logs[LOG_NAMED] || have <= shared_memory_most() / (is_detail(d, body) ? SHARE_OF_DETAILS : SHARE_OF_NAMED);
}

static bool append(struct log *l, const struct definition *d, const void *a, size_t a_size, const void *b, size_t b_size)
{
	size_t padded = (d->length + 7u) & ~7u;
	struct definitions_header *s = segment_with(l, padded);
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

static void put_made(struct log *l, struct definitions_header *s)
{
	struct definitions_header *next = atomic_load(&l->made);

	do
		*next_spare(s) = next;
	while (!atomic_compare_exchange_weak(&l->made, &next, s));
}

static void take_made(struct log *l)
{
	for (struct definitions_header *s = atomic_exchange(&l->made, NULL), *next; s; s = next) {
		next = *next_spare(s);
		put_spare(l, s);
	}
}

/*
 * One more for this log; in the meantime another thread may have made one, too: the next to be full has it then. Where the lock is not to
 * be had, it waits for who comes later.
 */
static bool add_segment(struct log *l)
{
	bool had = atomic_load(&l->made), may = atomic_load(&l->count) - atomic_load(&l->first) < DEFINITIONS_SEGMENTS;
	struct definitions_header *s = !had && may && !was_refused() ? make_segment(l) : NULL;

	if (s)
		put_made(l, s);
	if (!(had || s) || !lock())
		return false;
	take_made(l);
	unlock();
	return true;
}

enum appended { APPENDED,
		NO_ROOM,
		NO_LOCK };

static enum appended append_locked(struct log *l, const struct definition *d, const void *a, size_t a_size, const void *b, size_t b_size)
{
	bool done;

	if (!lock())
		return NO_LOCK;
	done = append(l, d, a, a_size, b, b_size);
	unlock();
	return done ? APPENDED : NO_ROOM;
}

static bool has_segment(struct log *l)
{
	bool has;

	if (!lock())
		return true;
	has = l->count || l->spare;
	unlock();
	return has;
}

void definitions_prepare(void)
{
	for (unsigned int i = 0; i < LOGS; i++)
		if (i != LOG_NAMED && !has_segment(&logs[i]))
			add_segment(&logs[i]);
}

#define SEGMENTS_TRIED 2 /* others may fill the first meanwhile */

bool definitions_add(enum definition_type type, uint64_t id, const void *a, size_t a_size,
		     const void *b, size_t b_size)
{
	struct definition d = { .type = (uint16_t)type, .id = id };
	struct log *l = &logs[log_of(d.type)];
	struct slow_path guard = slow_path_begin();
	enum appended done = NO_LOCK;

	a_size = a_size < DEFINITION_LONGEST ? a_size : DEFINITION_LONGEST;
	b_size = b_size < DEFINITION_LONGEST - a_size ? b_size : DEFINITION_LONGEST - a_size;
	d.length = (uint32_t)(sizeof(d) + a_size + b_size);
	if (may_have(l, &d, a))
		done = append_locked(l, &d, a, a_size, b ? b : "", b_size);
	for (int tries = 0; done == NO_ROOM && tries < SEGMENTS_TRIED && add_segment(l); tries++)
		done = append_locked(l, &d, a, a_size, b ? b : "", b_size);
	if (done != APPENDED)
		session_beyond(LIMIT_lost_definitions, 1);
	slow_path_end(guard);
	return done == APPENDED;
}

bool definitions_text(enum definition_type type, uint64_t id, const char *text)
{
	return definitions_add(type, id, text, strlen(text), NULL, 0);
}

uint64_t definitions_id(void)
{
	return atomic_fetch_add(&ids, 1) + 1;
}

bool definitions_has_id(uint64_t id)
{
	return id && id <= atomic_load(&ids);
}

size_t definitions_read(enum definitions_log log, struct definitions_place *place, const void **bytes)
{
	struct log *l = &logs[log];

	for (;;) {
		/* Asked first: a segment that has a successor does not grow any more. */
		bool closed = place->segment + 1 < atomic_load(&l->count);
		struct definitions_header *s = place->segment < atomic_load(&l->count) ? segment_at(l, place->segment) : NULL;
		uint64_t used = s ? atomic_load_explicit(&s->used, memory_order_acquire) : 0;

		if (used > place->offset) {
			size_t n = used - place->offset;

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

const struct definition *definitions_at(enum definitions_log log, unsigned int segment, uint64_t offset)
{
	return (const struct definition *)(const void *)((const char *)(segment_at(&logs[log], segment) + 1) + offset);
}

struct definitions_place definitions_newest(enum definitions_log log)
{
	struct log *l = &logs[log];
	unsigned int n = atomic_load(&l->count);
	struct definitions_header *s = n ? segment_at(l, n - 1) : NULL;

	return s ? (struct definitions_place){ n - 1, atomic_load(&s->used) } : (struct definitions_place){ 0 };
}

void definitions_release(enum definitions_log log, struct definitions_place place)
{
	struct log *l = &logs[log];
	unsigned int first = atomic_load(&l->first);

	if (first >= place.segment || !lock())
		return;
	for (; first < place.segment; first++)
		put_spare(l, segment_at(l, first));
	atomic_store(&l->first, first);
	unlock();
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
	for (unsigned int i = 0; i < atomic_load(&files); i++)
		shared_memory_unlink("definitions", i);
}

void definitions_forget(void)
{
	for (unsigned int i = 0; i < LOGS; i++) {
		atomic_store(&logs[i].count, 0);
		atomic_store(&logs[i].first, 0);
		logs[i].spare = NULL;
		atomic_store(&logs[i].made, NULL);
	}
	atomic_store(&files, 0);
	order = 0;
	unlock();
}
