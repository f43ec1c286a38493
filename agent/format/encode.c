/* encode.c - the writer's side of CHUNK_EVENTS; free of libc but for memset() and memmove(). */
#include "agent/format/encode.h"

#include <string.h>

#include "agent/format/trace_file.h"

static const struct encode_unit plain = { .unit = 1, .inverse = 1 };

void encode_begin(struct encoder *e, uint8_t *out, size_t size)
{
	e->out = out;
	e->end = out + size;
	e->first_word = e->words = out + size / 2;
	e->numbers = (struct encode_bits){ .next = out + sizeof(struct events_header) };
	e->events = e->run = e->templates = 0;
	predict_begin(&e->predictor);
	memset(e->table, 0, sizeof(e->table));
}

/* ---- words: whole bytes, that zstd may make less of ---- */

static inline void put_word(struct encoder *e, uint64_t value)
{
	uint8_t *p = e->words;

	for (; value >= 0x80; value >>= 7)
		*p++ = (uint8_t)(value | 0x80);
	*p++ = (uint8_t)value;
	e->words = p;
}

/* ---- numbers: bits ---- */

/* Up to 56 bits. The store may reach beyond what it adds: the margin is for that. */
static inline void put_bits(struct encode_bits *b, uint64_t value, unsigned int count)
{
	b->bits |= value << b->count;
	b->count += count;
	memcpy(b->next, &b->bits, sizeof(b->bits));
	b->next += b->count / 8;
	b->bits >>= b->count & ~7u;
	b->count &= 7;
}

static void put_raw(struct encode_bits *b, uint64_t value)
{
	put_bits(b, (1ull << NUMBER_ONES) - 1, NUMBER_ONES);
	put_bits(b, value & UINT32_MAX, 32);
	put_bits(b, value >> 32, 32);
}

/*
 * value / unit if that is a whole number. If only the unit's odd part does not divide it, the result
 * is a great number that times the unit is the value all the same: nothing is lost.
 */
static inline bool divide(const struct encode_unit *u, uint64_t value, uint64_t *scaled)
{
	*scaled = (uint64_t)((int64_t)value >> u->zeros) * u->inverse;
	return !(value & ((1ull << u->zeros) - 1));
}

/* 0 and 1: that many ones and a zero. Others: 2 + n ones, a zero, and the n bits below their highest. */
#define QUOTIENT(n, rest)                                            \
	{                                                            \
		((4u << (n)) - 1) | (rest) << ((n) + 3), 2 * (n) + 3 \
	}
#define QUOTIENTS2(n, rest) QUOTIENT(n, rest), QUOTIENT(n, (rest) + 1)
#define QUOTIENTS4(n, rest) QUOTIENTS2(n, rest), QUOTIENTS2(n, (rest) + 2)
#define SMALL_QUOTIENTS	    17

static const struct {
	uint32_t bits, count;
} small_quotients[SMALL_QUOTIENTS] = {
	{ 0, 1 },
	{ 1, 2 },
	QUOTIENT(0, 0),
	QUOTIENTS2(1, 0),
	QUOTIENTS4(2, 0),
	QUOTIENTS4(3, 0),
	QUOTIENTS4(3, 4),
};

static void put_great_quotient(struct encode_bits *b, uint64_t quotient)
{
	unsigned int n = 63u - (unsigned int)__builtin_clzll(--quotient);

	put_bits(b, (4ull << n) - 1, n + 3);
	put_bits(b, quotient - (1ull << n), n);
}

__attribute__((always_inline)) static inline void put_number(struct encode_bits *b, struct number_predictor *g, struct number_predictor *kin,
							     const struct encode_unit *unit, uint64_t value)
{
	unsigned int shift = number_shift(g), count = 0;
	uint64_t scaled, zigzag, quotient, code = 0;
	bool whole = divide(unit, value, &scaled);

	zigzag = number_zigzag(scaled - g->middle);
	quotient = zigzag >> shift;
	if (!whole || quotient > NUMBER_GREAT) {
		put_raw(b, value);
		return;
	}
	if (quotient < SMALL_QUOTIENTS) {
		code = small_quotients[quotient].bits;
		count = small_quotients[quotient].count;
	} else {
		put_great_quotient(b, quotient);
	}
	put_bits(b, code | (zigzag & ((1ull << shift) - 1)) << count, count + shift);
	number_teach(g, kin, scaled, zigzag);
}

/* ---- units ---- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static struct encode_unit make_unit(uint64_t unit)
{
	struct encode_unit u = { .unit = unit && unit <= INT32_MAX ? (uint32_t)unit : 1 };
	uint64_t odd, inverse;

	u.zeros = (unsigned int)__builtin_ctz(u.unit);
	odd = inverse = u.unit >> u.zeros;
	/* Each round doubles the bits that are right; the first guess has three. */
	for (int i = 0; i < 5; i++)
		inverse *= 2 - odd * inverse;
	u.inverse = inverse;
	return u;
}

#define UNIT_SLOTS 256 /* so many are looked at, ... */
#define UNIT_GROUP 8   /* ... and so many together tell of a unit */

/* What most groups of slots have in common; a few may lie across a change of processor. */
struct unit_vote {
	uint64_t end, divisor, unit; /* of the slot before; of this group; of most groups */
	unsigned int slots;
	int votes;
};

static void vote(struct unit_vote *v, const struct event *ev)
{
	if (ev->duration == UINT32_MAX)
		return;
	if (v->slots++)
		v->divisor = common_divisor(v->divisor, ev->begin - v->end);
	v->divisor = common_divisor(v->divisor, ev->duration);
	v->end = ev->begin + ev->duration;
	if (v->slots % UNIT_GROUP)
		return;
	if (!v->votes)
		v->unit = v->divisor;
	v->votes += v->unit == v->divisor ? 1 : -1;
	v->divisor = 0;
}

/* Many clocks move in steps of more than one tick: no need to write what is always 0. */
static void choose_units(struct encoder *e, const struct event *slots, size_t n)
{
	struct unit_vote host = { 0 }, device = { 0 };

	for (size_t i = 0; i < n && i < UNIT_SLOTS; i++) {
		if (slots[i].hook < CTRL_FIRST)
			vote(&host, &slots[i]);
		else if (slots[i].hook == CTRL_DEVICE)
			vote(&device, &slots[i]);
	}
	e->host = make_unit(host.votes > 0 ? host.unit : 1);
	e->device = make_unit(device.votes > 0 ? device.unit : 1);
}

/* ---- templates ---- */

static inline uint32_t hook_stream(const struct event *ev)
{
	return (uint32_t)ev->hook << 16 | ev->stream;
}

/* What of arg belongs to the template: the rest is a number. */
static inline uint64_t template_arg(const struct event *ev)
{
	return ev->hook == CTRL_DEVICE ? ev->arg - DEVICE_REF_SLOT(ev->arg) : ev->arg;
}

static inline uint32_t hash(const struct event *ev)
{
	uint64_t h = ev->key * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 29 ^ template_arg(ev) ^ (uint64_t)hook_stream(ev) << 20) * 0xbf58476d1ce4e5b9ull;
	return (uint32_t)(h >> 32) % ENCODE_TABLE;
}

static inline bool same_template(const struct encode_template *t, const struct event *ev)
{
	return t->key == ev->key && t->arg == template_arg(ev) && t->hook_stream == hook_stream(ev);
}

/* The place in the table of this template, or the free one where it belongs. */
static inline uint16_t *find(struct encoder *e, const struct event *ev)
{
	uint32_t i = hash(ev);

	while (e->table[i] && !same_template(&e->template[e->table[i] - 1], ev))
		i = (i + 1) % ENCODE_TABLE;
	return &e->table[i];
}

static uint32_t define(struct encoder *e, uint16_t *free, const struct event *ev)
{
	uint64_t *key = predict_key(&e->predictor, ev->hook);

	put_word(e, 0);
	put_word(e, ev->hook);
	put_word(e, ev->stream);
	put_word(e, number_zigzag(ev->key - *key));
	put_word(e, template_arg(ev));
	*key = ev->key;
	if (e->templates == GUESS_TEMPLATES)
		return GUESS_NUMBERLESS;

	e->template[e->templates] = (struct encode_template){
		.key = ev->key,
		.arg = template_arg(ev),
		.hook_stream = hook_stream(ev),
		.duration = predict_duration(&e->predictor, ev->hook),
	};
	*free = (uint16_t)(e->templates + 1);
	return e->templates++;
}

/* The word says how many slots were as guessed, and what this one is instead. */
static uint32_t put_template(struct encoder *e, const struct event *ev)
{
	uint16_t *place = find(e, ev);

	put_word(e, e->run);
	e->run = 0;
	if (!*place)
		return define(e, place, ev);
	put_word(e, *place);
	return *place - 1u;
}

static inline uint32_t take_template(struct encoder *e, const struct event *ev)
{
	uint32_t number = sequence_next(&e->predictor.sequence);
	bool guessed = number != GUESS_NUMBERLESS && same_template(&e->template[number], ev);

	if (guessed)
		e->run++;
	else
		number = put_template(e, ev);
	sequence_learn(&e->predictor.sequence, number, guessed);
	return number;
}

/* ---- slots ---- */

static inline void encode_slot(struct encoder *e, struct encode_bits *b, const struct event *ev)
{
	const struct encode_unit *unit = ev->hook == CTRL_DEVICE ? &e->device : &e->host;
	struct number_predictor *kin = predict_kin(&e->predictor, ev->hook), *own = kin;
	struct number_predictor *gap = predict_gap(&e->predictor, ev->hook);
	uint32_t number = take_template(e, ev);

	if (number != GUESS_NUMBERLESS)
		own = &e->template[number].duration;
	if (ev->hook == CTRL_DEVICE)
		put_number(b, &e->predictor.steps, &e->predictor.steps, &plain,
			   (uint64_t)(int32_t)(DEVICE_REF_SLOT(ev->arg) - e->predictor.device_slot));
	put_number(b, gap, gap, unit,
		   ev->begin - predict_before(&e->predictor, ev->hook));
	put_number(b, own, kin, unit, ev->duration);
	predict_learn(&e->predictor, ev);
}

static inline bool speaks_of_the_slot_before(const struct event *ev)
{
	return ev->hook == CTRL_RESULT || ev->hook == CTRL_LONG || ev->hook == CTRL_ADDRESS ||
	       ev->hook == CTRL_NESTED || ev->hook == CTRL_ITEMS;
}

/* Is there room for another slot, and if it may begin a chunk for all that may speak of it? */
static inline bool room(const struct encoder *e, const struct encode_bits *b, const struct event *ev)
{
	bool inside = speaks_of_the_slot_before(ev);
	size_t size = (inside ? ENCODE_SLOT_MAX : ENCODE_GROUP_MAX) / 2;

	return b->next + size <= e->first_word - ENCODE_STORE && e->words + size <= e->end &&
	       e->predictor.sequence.count + (inside ? 1 : ENCODE_GROUP) <= GUESS_SLOTS;
}

size_t encode_slots(struct encoder *e, const struct event *slots, size_t n)
{
	struct encode_bits b = e->numbers; /* where nothing else can point to: in registers */
	uint32_t events = 0;
	size_t i;

	if (!e->predictor.sequence.count)
		choose_units(e, slots, n);
	for (i = 0; i < n && room(e, &b, &slots[i]); i++) {
		encode_slot(e, &b, &slots[i]);
		events += slots[i].hook < CTRL_FIRST;
	}
	e->numbers = b;
	e->events += events;
	return i;
}

size_t encode_end(struct encoder *e)
{
	uint8_t *numbers = e->out + sizeof(struct events_header);
	struct events_header h = {
		.slots = e->predictor.sequence.count,
		.numbers = (uint32_t)(e->numbers.next - numbers) + (e->numbers.count > 0),
		.unit = e->host.unit,
		.device_unit = e->device.unit,
	};
	size_t words = (size_t)(e->words - e->first_word);

	if (!h.slots)
		return 0;
	memcpy(e->out, &h, sizeof(h));
	memmove(numbers + h.numbers, e->first_word, words);
	return sizeof(h) + h.numbers + words;
}
