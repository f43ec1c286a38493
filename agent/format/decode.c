#include "agent/format/decode.h"

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
	predict_begin(&d->predictor);
	if (!size)
		return;
	if (size >= sizeof(*h))
		memcpy(h, payload, sizeof(*h));
	d->bad = size < sizeof(*h) || h->slots > GUESS_SLOTS || h->numbers > size - sizeof(*h);
	if (d->bad)
		return;
	d->numbers.bytes = payload + sizeof(*h);
	d->numbers.last = payload + size - sizeof(uint64_t);
	d->numbers.end = 8ull * h->numbers;
	d->words = d->numbers.bytes + h->numbers;
	d->end = payload + size;
	read_run(d);
}

/* ---- numbers ---- */

#define PEEK 57 /* so many bits are seen at a time */

static uint64_t last_bits(const uint8_t *next, const uint8_t *end)
{
	uint64_t bits = 0;

	if (next < end)
		memcpy(&bits, next, (size_t)(end - next));
	return bits;
}

/* The next bits. What stands behind the last number means nothing, and is not used. */
static inline uint64_t safe_read(const struct decode_bits *b)
{
	const uint8_t *next = b->bytes + b->at / 8;
	uint64_t bits;

	if (next <= b->last)
		memcpy(&bits, next, sizeof(bits));
	else
		bits = last_bits(next, b->last + sizeof(bits));
	return bits >> b->at % 8;
}

static inline uint64_t take(struct decode_bits *b, uint64_t bits, unsigned int count)
{
	b->at += count;
	return bits & ((1ull << count) - 1);
}

static inline uint64_t read_raw(struct decode_bits *b)
{
	uint64_t low;

	b->at += NUMBER_ONES;
	low = take(b, safe_read(b), 32);
	return low | take(b, safe_read(b), 32) << 32;
}

__attribute__((always_inline)) static inline uint64_t read_number(struct decode_bits *b, struct number_predictor *g,
								  struct number_predictor *kin, uint32_t unit)
{
	uint64_t bits = safe_read(b), quotient, zigzag, scaled;
	unsigned int ones = (unsigned int)__builtin_ctzll(~bits | 1ull << NUMBER_ONES);
	unsigned int shift = number_shift(g), n = ones > 2 ? ones - 2 : 0;

	if (ones == NUMBER_ONES)
		return read_raw(b);
	b->at += ones + 1;
	quotient = ones < 2 ? ones : take(b, bits >> (ones + 1), n) + (1ull << n) + 1;
	bits = ones + 1 + n + shift > PEEK ? safe_read(b) : bits >> (ones + 1 + n);
	zigzag = quotient << shift | take(b, bits, shift);
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
	t->key = *predict_key(&d->predictor, t->hook) += number_unzigzag(word(d));
	t->arg = word(d);
	t->duration = predict_duration(&d->predictor, t->hook);
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
	uint32_t guess = sequence_next(&d->predictor.sequence);
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
	sequence_learn(&d->predictor.sequence, d->number, guessed);
	return t;
}

/* ---- slots ---- */

static inline void decode_slot(struct decoder *d, struct decode_bits *b, struct event *slot)
{
	struct template *t = next_template(d);
	struct number_predictor *kin = predict_kin(&d->predictor, t->hook);
	struct number_predictor *gap = predict_gap(&d->predictor, t->hook), *steps = &d->predictor.steps;
	uint32_t unit = t->hook == CTRL_DEVICE ? d->header.device_unit : d->header.unit;

	slot->hook = t->hook;
	slot->stream = t->stream;
	slot->key = t->key;
	slot->arg = t->arg;
	if (t->hook == CTRL_DEVICE)
		slot->arg += (uint32_t)(d->predictor.device_slot + read_number(b, steps, steps, 1));
	slot->begin = predict_before(&d->predictor, t->hook) + read_number(b, gap, gap, unit);
	slot->duration = (uint32_t)read_number(b, t == &d->numberless ? kin : &t->duration, kin, unit);
	predict_learn(&d->predictor, slot);
}

size_t decode_slots(struct decoder *d, struct event *slots, size_t n)
{
	struct decode_bits b = d->numbers; /* where nothing else can point to: in registers */
	size_t i = 0;

	if (n > d->header.slots - d->predictor.sequence.count)
		n = d->header.slots - d->predictor.sequence.count;
	while (i < n && !d->bad) {
		decode_slot(d, &b, &slots[i]);
		d->bad |= b.at > b.end;
		i += !d->bad;
	}
	d->numbers = b;
	return i;
}
