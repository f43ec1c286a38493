/* encode.c - the writer's side of CHUNK_EVENTS; free of libc but for memset(). */
#include "agent/encode.h"

#include <stdbool.h>
#include <string.h>

#include "agent/trace_file.h"

void encode_begin(struct encoder *e, uint8_t *out, size_t size)
{
	e->out = e->next = out;
	e->end = out + size;
	e->last_end = e->device_begin = 0;
	e->events = e->templates = 0;

	/* A new generation empties the table without touching it. */
	if (++e->generation == 0) {
		memset(e->table, 0, sizeof(e->table));
		e->generation = 1;
	}
}

static inline void put(struct encoder *e, uint64_t value)
{
	uint8_t *p = e->next;

	for (; value >= 0x80; value >>= 7)
		*p++ = (uint8_t)(value | 0x80);
	*p++ = (uint8_t)value;
	e->next = p;
}

static inline uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ -(difference >> 63);
}

static inline uint32_t hook_stream(const struct event *ev)
{
	return (uint32_t)ev->hook << 16 | ev->stream;
}

static inline uint32_t hash(const struct event *ev)
{
	uint64_t h = ev->key * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 29 ^ ev->arg ^ (uint64_t)hook_stream(ev) << 20) * 0xbf58476d1ce4e5b9ull;
	return (uint32_t)(h >> 32) % ENCODE_TABLE;
}

static inline bool same_template(const struct encode_entry *t, const struct event *ev)
{
	return t->key == ev->key && t->arg == ev->arg && t->hook_stream == hook_stream(ev);
}

/* The entry of this template, or the free one where it belongs. */
static inline struct encode_entry *find(struct encoder *e, const struct event *ev)
{
	uint32_t i = hash(ev);

	for (;; i = (i + 1) % ENCODE_TABLE) {
		struct encode_entry *t = &e->table[i];

		if (t->generation != e->generation || same_template(t, ev))
			return t;
	}
}

static void put_template(struct encoder *e, unsigned int tag, const struct event *ev)
{
	put(e, tag);
	put(e, ev->hook);
	put(e, ev->stream);
	put(e, ev->key);
	put(e, ev->arg);
}

static void define(struct encoder *e, struct encode_entry *free, const struct event *ev)
{
	if (e->templates == ENCODE_TEMPLATES)
		return;

	*free = (struct encode_entry){
		.key = ev->key,
		.arg = ev->arg,
		.hook_stream = hook_stream(ev),
		.generation = e->generation,
		.number = e->templates++,
	};
}

static inline void encode_event(struct encoder *e, const struct event *ev)
{
	struct encode_entry *t = find(e, ev);

	if (t->generation == e->generation) {
		put(e, TAG_FIRST + (uint64_t)t->number);
	} else {
		put_template(e, TAG_NEW, ev);
		define(e, t, ev);
	}
	put(e, zigzag(ev->begin - e->last_end));
	put(e, ev->duration);
	e->last_end = ev->begin + ev->duration;
	e->events++;
}

static void encode_control(struct encoder *e, const struct event *ev)
{
	put_template(e, TAG_CONTROL, ev);
	if (ev->hook == CTRL_DEVICE) {
		put(e, zigzag(ev->begin - e->device_begin));
		e->device_begin = ev->begin;
	} else {
		put(e, zigzag(ev->begin - e->last_end));
	}
	put(e, ev->duration);
}

static inline bool speaks_of_the_slot_before(const struct event *ev)
{
	return ev->hook == CTRL_RESULT || ev->hook == CTRL_LONG || ev->hook == CTRL_ADDRESS ||
	       ev->hook == CTRL_NESTED;
}

size_t encode_slots(struct encoder *e, const struct event *slots, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct event *ev = &slots[i];
		size_t room = (size_t)(e->end - e->next);

		if (room < (speaks_of_the_slot_before(ev) ? ENCODE_SLOT_MAX : ENCODE_GROUP_MAX))
			break;
		if (ev->hook < CTRL_FIRST)
			encode_event(e, ev);
		else
			encode_control(e, ev);
	}
	return i;
}
