#include "agent/flush/late_times.h"
#include "agent/flush/chunks.h"
#include "agent/format/trace_file.h"
#include "agent/record/rings.h"

#define BATCH 1024 /* slots that are encoded at once: they tell of the clock's unit */

static uint32_t first[RINGS_MAX]; /* positions, of which DEVICE_REF has the low half: the file's first, by the ring's number */

void late_times_begin(void)
{
	for (unsigned int i = 0; i < RINGS_MAX; i++) {
		struct ring_header *r = i < rings_count() ? rings_at(i) : NULL;

		first[i] = r ? (uint32_t)atomic_load_explicit(&r->tail, memory_order_relaxed) : 0;
	}
}

/* Is the event among what has been drained since the file began? */
static bool is_ours(uint64_t ref)
{
	unsigned int i = DEVICE_REF_RING(ref) - 1u;
	struct ring_header *r = i < rings_count() ? rings_at(i) : NULL;

	return r && (int32_t)(DEVICE_REF_SLOT(ref) - first[i]) >= 0 &&
	       (int32_t)(DEVICE_REF_SLOT(ref) - (uint32_t)atomic_load_explicit(&r->tail, memory_order_relaxed)) < 0;
}

struct copies {
	struct encoder *encoder;
	uint8_t *raw;
	size_t size, count;
	struct event slots[BATCH + 1]; /* a CTRL_LONG more */
};

static void put_chunk(struct copies *c)
{
	struct chunk_header h = { .type = CHUNK_TIMES };

	chunks_put(&h, c->raw, encode_end(c->encoder));
}

static void put_copies(struct copies *c)
{
	size_t done = 0;

	if (!c->count)
		return;
	encode_begin(c->encoder, c->raw, c->size);
	while ((done += encode_slots(c->encoder, c->slots + done, c->count - done)) < c->count) {
		put_chunk(c);
		encode_begin(c->encoder, c->raw, c->size);
	}
	put_chunk(c);
	c->count = 0;
}

static void copy_from(struct copies *c, struct ring_header *r)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_acquire);
	bool is_copied = false; /* the slot before, so that a CTRL_LONG speaks of it */

	for (uint64_t at = atomic_load_explicit(&r->tail, memory_order_relaxed); at < head; at++) {
		const struct event *slot = &ring_slots(r)[at & (r->slots - 1)];

		is_copied = slot->hook == CTRL_DEVICE ? is_ours(slot->arg) : is_copied && slot->hook == CTRL_LONG;
		if (!is_copied)
			continue;
		if (slot->hook == CTRL_DEVICE && c->count >= BATCH)
			put_copies(c);
		c->slots[c->count++] = *slot;
	}
}

void late_times_put(struct encoder *e, uint8_t *raw, size_t size)
{
	static struct copies c;

	if (!chunks_are_wanted())
		return;
	c.encoder = e;
	c.raw = raw;
	c.size = size;
	for (unsigned int i = 0; i < rings_count(); i++)
		if (rings_at(i))
			copy_from(&c, rings_at(i));
	put_copies(&c);
}
