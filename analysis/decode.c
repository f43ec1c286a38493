#include "analysis/decode.h"

#include <string.h>

/* ---- words ---- */

static uint64_t word_slow(struct decoder *d)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 64 && d->words < d->end; shift += 7) {
		uint8_t byte = *d->words++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	d->bad = true;
	return 0;
}

static inline uint64_t word(struct decoder *d)
{
	if (d->words < d->end && *d->words < 0x80)
		return *d->words++;
	return word_slow(d);
}

/* Up to the next word: no more words, no more surprises. */
static void read_run(struct decoder *d)
{
	d->run = d->words < d->end ? word(d) : UINT64_MAX;
}

void decode_begin(struct decoder *d, const uint8_t *payload, size_t size)
{
	struct events_header *h = &d->header;

	*h = (struct events_header){ 0 };
	d->templates = 0;
	d->bad = false;
	d->numbers = (struct decode_bits){ 0 };
	guess_begin(&d->guess);
	if (!size)
		return;
	if (size >= sizeof(*h))
		memcpy(h, payload, sizeof(*h));
	d->bad = size < sizeof(*h) || h->slots > GUESS_SLOTS || h->numbers > size - sizeof(*h);
	if (d->bad)
		return;
	d->numbers.next = payload + sizeof(*h);
	d->numbers.end = d->words = d->numbers.next + h->numbers;
	d->end = payload + size;
	read_run(d);
}

/* ---- numbers ---- */

static void fetch_last(struct decode_bits *b)
{
	while (b->count <= 56 && b->next < b->end) {
		b->bits |= (uint64_t)*b->next++ << b->count;
		b->count += 8;
	}
}

/* Makes 56 bits ready, or all that are left; those behind the end are 0. */
static inline void fetch(struct decode_bits *b)
{
	uint64_t more;

	if (b->end - b->next < 8) {
		fetch_last(b);
		return;
	}
	memcpy(&more, b->next, sizeof(more));
	b->bits |= more << b->count;
	b->next += (63 - b->count) / 8;
	b->count |= 56;
}

static inline uint64_t take_bits(struct decode_bits *b, unsigned int count)
{
	uint64_t value = b->bits & ((1ull << count) - 1);

	if (count > b->count) {
		b->bad = true;
		b->count = count;
	}
	b->bits >>= count;
	b->count -= count;
	return value;
}

static uint64_t read_raw(struct decode_bits *b)
{
	uint64_t low;

	take_bits(b, NUMBER_ONES);
	fetch(b);
	low = take_bits(b, 32);
	fetch(b);
	return low | take_bits(b, 32) << 32;
}

__attribute__((always_inline)) static inline uint64_t read_number(struct decode_bits *b, struct number_guess *g,
								  struct number_guess *kin, uint32_t unit)
{
	unsigned int shift = number_shift(g), ones, n;
	uint64_t quotient, zigzag, scaled;

	fetch(b);
	ones = (unsigned int)__builtin_ctzll(~b->bits | 1ull << NUMBER_ONES);
	if (ones == NUMBER_ONES)
		return read_raw(b);
	n = ones > 2 ? ones - 2 : 0;
	quotient = take_bits(b, ones + 1 + n) >> (ones + 1);
	quotient = ones < 2 ? ones : quotient + (1ull << n) + 1;
	if (b->count < shift)
		fetch(b);
	zigzag = quotient << shift | take_bits(b, shift);
	scaled = g->middle + number_unzigzag(zigzag);
	number_teach(g, kin, scaled, zigzag);
	return scaled * unit;
}

/* ---- templates ---- */

static struct template *new_template(struct decoder *d)
{
	uint64_t hook = word(d), stream = word(d);
	struct template *t = &d->numberless;

	d->number = GUESS_NUMBERLESS;
	if (d->templates < GUESS_TEMPLATES) {
		d->number = (uint16_t)d->templates;
		t = &d->template[d->templates++];
	}
	if (hook > UINT16_MAX || stream > UINT16_MAX)
		d->bad = true;
	t->hook = (uint16_t)hook;
	t->stream = (uint16_t)stream;
	t->key = *guess_key(&d->guess, t->hook) += number_unzigzag(word(d));
	t->arg = word(d);
	t->duration = guess_duration(&d->guess, t->hook);
	return t;
}

static struct template *named_template(struct decoder *d)
{
	uint64_t tag = word(d);
	struct template *t = &d->numberless;

	if (!tag) {
		t = new_template(d);
	} else if (tag <= d->templates) {
		d->number = (uint16_t)(tag - 1);
		t = &d->template[tag - 1];
	} else {
		d->bad = true;
	}
	read_run(d);
	return t;
}

static inline struct template *next_template(struct decoder *d)
{
	uint32_t guess = sequence_next(&d->guess.sequence);
	struct template *t = &d->numberless;
	bool guessed = d->run > 0;

	if (!guessed) {
		t = named_template(d);
	} else if (guess < d->templates) {
		d->run--;
		d->number = (uint16_t)guess;
		t = &d->template[guess];
	} else {
		d->bad = true;
	}
	sequence_learn(&d->guess.sequence, d->number, guessed);
	return t;
}

/* ---- slots ---- */

static inline void decode_slot(struct decoder *d, struct decode_bits *b, struct event *slot)
{
	struct template *t = next_template(d);
	struct number_guess *kin = guess_kin(&d->guess, t->hook);
	struct number_guess *gap = guess_gap(&d->guess, t->hook), *steps = &d->guess.steps;
	uint32_t unit = t->hook == CTRL_DEVICE ? d->header.device_unit : d->header.unit;

	slot->hook = t->hook;
	slot->stream = t->stream;
	slot->key = t->key;
	slot->arg = t->arg;
	if (t->hook == CTRL_DEVICE)
		slot->arg += (uint32_t)(d->guess.device_slot + read_number(b, steps, steps, 1));
	slot->begin = guess_before(&d->guess, t->hook) + read_number(b, gap, gap, unit);
	slot->duration = (uint32_t)read_number(b, t == &d->numberless ? kin : &t->duration, kin, unit);
	guess_learn(&d->guess, slot);
}

size_t decode_slots(struct decoder *d, struct event *slots, size_t n)
{
	struct decode_bits b = d->numbers; /* where nothing else can point to: in registers */
	size_t i = 0;

	if (n > d->header.slots - d->guess.sequence.count)
		n = d->header.slots - d->guess.sequence.count;
	while (i < n && !d->bad) {
		decode_slot(d, &b, &slots[i]);
		d->bad |= b.bad;
		i += !d->bad;
	}
	d->numbers = b;
	return i;
}
