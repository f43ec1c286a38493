#include "agent/flush/drain.h"
#include <string.h>
#include <sys/mman.h>
#include "agent/flush/chunks.h"
#include "agent/flush/file_definitions.h"
#include "agent/flush/file_text.h"
#include "agent/flush/late_times.h"
#include "agent/flush/totals.h"
#include "agent/flush/writer.h"
#include "agent/format/encode.h"
#include "agent/os/clock.h"
#include "agent/record/rings.h"
#include "agent/session/definitions.h"
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/session/shared_memory.h"

#define RAW_SIZE      ((2048u << 10) + 4096) /* a ring of the usual size fits, of the longest slots */
#define OLD_NS	      5000000000ull	     /* slots that wait so long are written even if few ... */
#define OLD_UNSAFE_NS 1000000000ull	     /* ... where they would not outlive us */
#define NEARLY	      16		     /* a producer calls its ring half full a few slots early */

static struct encoder *encoder;
static uint8_t *raw, *definitions_room; /* a chunk of events, and one of definitions that is written before it */
static bool told;			/* of the last window, in its file */
static uint64_t waiting[RINGS_MAX];	/* since when there is something in a ring; 0: nothing */

bool drain_prepare(void)
{
	if (raw)
		return true;
	raw = mmap(NULL, RAW_SIZE + DEFINITIONS_SEGMENT + sizeof(*encoder), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (raw == MAP_FAILED)
		raw = NULL;
	definitions_room = raw ? raw + RAW_SIZE : NULL;
	encoder = (void *)(raw ? definitions_room + DEFINITIONS_SEGMENT : NULL);
	return raw;
}

bool drain_totals_written(void)
{
	return told;
}

void drain_begin(const char *window, struct definitions_place first_epoch, const struct detail *detail)
{
	struct chunk_header h = { .type = CHUNK_FILE };
	char text[sizeof(session->facts)];

	file_text_file(text, sizeof(text), window, detail);
	chunks_put(&h, text, strlen(text));
	file_definitions_begin(first_epoch);
	file_definitions_put(raw);
	late_times_begin();
}

/* ---- rings ---- */

struct context {
	uint64_t epoch, tid;
	uint32_t events; /* not control slots */
};

/* Are slots from this one on, which is a context, of epochs behind the last? */
static bool is_behind(const struct context *c, const struct event *slot, uint32_t last)
{
	return slot->hook == CTRL_STEP && last && slot->key > last && slot->key > c->epoch;
}

static void notice(struct context *c, const struct event *slot)
{
	if (slot->hook == CTRL_THREAD)
		c->tid = slot->key;
	else
		c->epoch = slot->key;
}

/* As encode_until_context(), of slots that are not wanted. */
static size_t pass_over(struct context *c, const struct event *slots, size_t n)
{
	size_t i;

	for (i = 0; i < n && (!i || !encode_is_context(&slots[i])); i++)
		c->events += slots[i].hook < CTRL_FIRST;
	return i;
}

/* Killed between any two of these lines, we leave recovery a tail and the context that belongs to it. */
static void move_tail(struct ring_header *r, uint64_t end, const struct context *c)
{
	r->next_tail = 0;
	atomic_signal_fence(memory_order_seq_cst);
	r->next_epoch = c->epoch;
	r->next_tid = c->tid;
	atomic_signal_fence(memory_order_seq_cst);
	r->next_tail = end;
	/* Frees the slots: pairs with the acquire in producer_set_position(), and tells recovery what is written. */
	atomic_store_explicit(&r->tail, end, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	r->tail_epoch = c->epoch;
	r->tail_tid = c->tid;
}

/* True if the chunk is in the file. */
static bool put_slots(struct ring_header *r, uint64_t tail, uint64_t end, struct chunk_header *h)
{
	uint64_t entered = atomic_load_explicit(&r->entered, memory_order_relaxed);
	uint64_t dropped = atomic_load_explicit(&r->dropped, memory_order_relaxed);

	h->type = CHUNK_EVENTS;
	h->ring = r->id;
	h->events = encoder->events;
	h->entered = entered - totals_base(r->base)->entered;
	h->dropped = dropped - totals_base(r->base)->dropped;
	h->first_slot = tail;
	h->next_slot = end;
	file_definitions_of(encoder, r, tail, end, definitions_room);
	return chunks_put(h, raw, encode_end(encoder));
}

/* Slots from at on, as far as the chunk (if they are wanted) and their epochs go; returns where they end. */
static uint64_t take_slots(struct ring_header *r, uint64_t at, uint64_t head, uint32_t last_epoch, struct context *c, bool wanted)
{
	while (at < head) {
		const struct event *slots = &ring_slots(r)[at % r->slots];
		size_t span = r->slots - at % r->slots, n = head - at < span ? head - at : span, done;
		bool is_context = encode_is_context(slots);

		if (is_context && is_behind(c, slots, last_epoch))
			break;
		done = wanted ? encode_until_context(encoder, slots, n) : pass_over(c, slots, n);
		if (!done)
			break;
		if (is_context)
			notice(c, slots);
		at += done;
	}
	if (wanted)
		c->events = encoder->events;
	return at;
}

/* A chunk of them; returns where the next one begins: where this did, when there is none. */
static uint64_t drain_chunk(struct ring_header *r, uint64_t head, uint32_t last_epoch)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed), end;
	struct chunk_header h = { .tid = (uint32_t)r->tail_tid, .epoch = (uint32_t)r->tail_epoch };
	struct context c = { .epoch = r->tail_epoch, .tid = r->tail_tid };
	bool wanted = chunks_are_wanted();

	if (wanted)
		encode_begin(encoder, raw, RAW_SIZE);
	end = take_slots(r, tail, head, last_epoch, &c, wanted);
	if (end == tail)
		return tail;
	if (wanted && put_slots(r, tail, end, &h)) {
		atomic_fetch_add(&session->kept, c.events);
	} else {
		atomic_fetch_add(&session->discarded, c.events);
		if (chunks_left_out())
			atomic_fetch_add(&session->unselected, c.events);
	}
	move_tail(r, end, &c);
	return end;
}

static void drain_ring(struct ring_header *r, uint64_t head, uint32_t last_epoch)
{
	uint64_t at, end = atomic_load_explicit(&r->tail, memory_order_relaxed);

	do {
		at = end;
		end = drain_chunk(r, head, last_epoch);
	} while (end != at && end < head);
}

static bool is_half_full(const struct ring_header *r, uint64_t head)
{
	return head - atomic_load_explicit(&r->tail, memory_order_relaxed) >= r->slots / 2 - NEARLY ||
	       atomic_load_explicit(&r->full, memory_order_relaxed);
}

static bool is_old(uint64_t since, uint64_t now)
{
	return now - since > (shared_memory_safe() ? OLD_NS : OLD_UNSAFE_NS);
}

/*
 * Few large chunks cost less than many small ones: each learns afresh what repeats. A producer wakes
 * us when its ring is half full; tmpfs keeps the slots safe meanwhile, other memory dies with us.
 */
static bool worth_it(const struct ring_header *r, uint64_t head, uint64_t now)
{
	uint64_t *since = &waiting[r->id - 1];

	if (head == atomic_load_explicit(&r->tail, memory_order_relaxed))
		return false;
	if (!*since)
		*since = now;
	return is_half_full(r, head) || is_old(*since, now);
}

bool drain_is_due(uint64_t since)
{
	for (unsigned int i = 0; i < rings_count(); i++) {
		struct ring_header *r = rings_at(i);

		if (r && is_half_full(r, atomic_load_explicit(&r->head, memory_order_relaxed)))
			return true;
	}
	return is_old(since, clock_now_ns());
}

/* The ring that this one's owner had before, if what it left there is not written yet. */
static struct ring_header *unwritten_before(const struct ring_header *r)
{
	uint32_t before = atomic_load(&r->before);
	struct ring_header *b = before ? rings_at(before - 1) : NULL;

	return b && b->tail < r->before_end ? b : NULL;
}

/* A thread's slots are written in its order: first those of rings that it filled and left. */
static void drain_in_order(struct ring_header *r, uint32_t last_epoch)
{
	static struct ring_header *chain[RINGS_MAX];
	unsigned int n = 0;

	for (; r && n < RINGS_MAX; r = unwritten_before(r))
		chain[n++] = r;
	while (n) {
		uint64_t head;

		r = chain[--n];
		head = atomic_load_explicit(&r->head, memory_order_acquire);
		file_definitions_put(raw); /* after the head was read: what its slots speak of is there */
		drain_ring(r, head, last_epoch);
		waiting[r->id - 1] = 0;
	}
}

void drain_rings(uint32_t last_epoch, bool all)
{
	uint64_t now = clock_now_ns();

	if (!drain_prepare())
		chunks_no_memory();
	if (file_definitions_are_behind()) /* steps without a call */
		file_definitions_put(raw);
	for (unsigned int i = 0; i < rings_count(); i++) {
		struct ring_header *r = rings_at(i);
		uint64_t head = r ? atomic_load_explicit(&r->head, memory_order_acquire) : 0;

		if (r && (all || worth_it(r, head, now)))
			drain_in_order(r, last_epoch);
	}
	rings_emptied();
}

#define END_CHUNK_USUAL 8192 /* bytes, most often */
#define MORE_DIGITS	64   /* that numbers have when events are taken back */
_Static_assert(RAW_SIZE >= END_CHUNK_USUAL + HOOKS_MOST * 256, "room for a line of each row");

/* With a line for each row that the level left out it may be long: no chunk is being made now, so its memory is free. */
static int put_end(const char *reason, struct totals t, size_t *size)
{
	struct chunk_header h = { .type = CHUNK_END };
	char instead[END_CHUNK_USUAL], *text = drain_prepare() ? (char *)raw : instead;

	file_text_totals(text, text == instead ? sizeof(instead) : RAW_SIZE, reason, t);
	*size = strlen(text);
	return writer_chunk(&h, text, *size);
}

static void take_back(size_t room)
{
	uint32_t events = writer_take_back(room);

	atomic_fetch_sub(&session->kept, events);
	atomic_fetch_add(&session->discarded, events);
}

/* True if the file has its totals. */
static bool end_file(const char *reason, uint64_t window_end, struct totals *t)
{
	uint64_t times_later = t->times_later;
	size_t size;

	if (!put_end(reason, *t, &size))
		return true;
	/* The disk is full: the end chunk says what was lost, so it is worth the last events. */
	take_back(size + MORE_DIGITS);
	*t = totals_take(window_end);
	t->times_later = times_later;
	return !put_end(reason, *t, &size);
}

/* Calls that found no room, and no event came after them that could tell. */
static void put_lost(void)
{
	struct {
		struct definition d;
		struct def_lost lost;
	} line = { .d = { .length = sizeof(line), .type = DEF_LOST } };

	for (unsigned int i = 0; i < rings_count() && chunks_are_wanted(); i++) {
		struct ring_header *r = rings_at(i);
		uint64_t lost = r ? atomic_exchange(&r->lost, 0) : 0;

		if (!lost)
			continue;
		line.d.id = r->id;
		line.lost = (struct def_lost){ lost, atomic_load(&r->lost_since), atomic_load(&r->lost_until), atomic_load(&r->tid) };
		chunks_put_definitions(&line, sizeof(line));
	}
}

/* A window that got no file is told of in the next one: the base in force stays what it is. */
void drain_end(const char *reason, uint64_t window_end, uint64_t times_later)
{
	bool open = writer_is_open(), whole = false;
	struct totals t;

	file_definitions_put(raw);
	late_times_put(encoder, raw, RAW_SIZE);
	put_lost();
	t = totals_take(window_end);
	t.times_later = times_later;
	if (open)
		whole = end_file(reason, window_end, &t);
	atomic_store(&session->entered, t.all.entered);
	atomic_store(&session->dropped, t.all.dropped);
	told = open;
	if (open)
		atomic_store(&session->ended, t.number);
	if (whole)
		writer_close();
	else
		writer_abandon();
}

void drain_forget(void)
{
	told = false;
	memset(waiting, 0, sizeof(waiting));
	chunks_forget();
	file_definitions_forget();
	writer_forget();
}
