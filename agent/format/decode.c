#include "agent/format/decode.h"

#include <string.h>

#include "agent/format/decode_numbers.h"
#include "agent/format/processor.h"

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

/* NULL: there is none. */
static struct template *next_template(struct decoder *d)
{
	struct sequence_predictor *s = &d->predictor.sequence;
	struct template *t;

	if (!d->run) {
		t = named_template(d);
		sequence_learn(s, d->number, false);
		return d->bad ? NULL : t;
	}
	d->bad = sequence_next(s) >= d->templates;
	if (d->bad)
		return NULL;
	d->run--;
	t = &d->template[sequence_next(s)];
	sequence_learn(s, sequence_next(s), true);
	return t;
}

/* ---- slots ---- */

/* Whatever its numbers are. */
static __attribute__((noinline)) void decode_slot(struct decoder *d, struct template *t, struct event *slot)
{
	struct decode_bits *b = &d->numbers;
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
	d->bad |= b->at > b->end;
}

/* ---- slots whose numbers are as most are ---- */

/* What changes with each of them. Not in the decoder: others might point to what is in memory. */
struct usual_run {
	uint64_t at, limit; /* in bits: a read from before the limit stays inside of the numbers */
	uint64_t end;	    /* of the slot before, of this clock */
	uint32_t unit, device_slot;
	uint16_t hook; /* of the slot before */
};

INLINE struct usual_run usual_begin(const struct decoder *d, bool device)
{
	const struct decode_bits *b = &d->numbers;
	const struct predictor *g = &d->predictor;
	uint64_t readable = b->last > b->bytes ? 8 * (uint64_t)(b->last - b->bytes) : 0, enough = b->end > PEEK ? b->end - PEEK : 0;

	return (struct usual_run){
		.at = b->at,
		.limit = readable < enough ? readable : enough,
		.end = device ? g->device_end : g->end,
		.unit = device ? d->header.device_unit : d->header.unit,
		.device_slot = g->device_slot,
		.hook = g->hook,
	};
}

INLINE void usual_end(struct decoder *d, const struct usual_run *r, bool device)
{
	struct predictor *g = &d->predictor;

	d->numbers.at = r->at;
	*(device ? &g->device_end : &g->end) = r->end;
	g->device_slot = device ? r->device_slot : g->device_slot;
	g->hook = r->hook;
}

/* False: nothing was taken, as it is otherwise. */
INLINE bool usual_slot(struct decoder *d, struct usual_run *r, struct template *t, struct event *slot, bool device)
{
	struct predictor *g = &d->predictor;
	struct number_predictor *gap = &g->gaps[(t->hook + 37u * r->hook) % GUESS_CONTEXTS], *own = &t->duration;
	struct usual u = usual_read(d->numbers.bytes, r->at, device ? &g->steps : NULL, gap, own);
	uint64_t duration = own->middle + number_unzigzag(u.own);
	bool young = own->seen < NUMBER_YOUNG;

	if (u.used > PEEK)
		return false;
	r->at += u.used;
	slot->hook = r->hook = t->hook;
	slot->stream = t->stream;
	slot->key = t->key;
	slot->arg = t->arg + (device ? (uint32_t)(r->device_slot + g->steps.middle + number_unzigzag(u.steps)) : 0);
	r->device_slot = device ? DEVICE_REF_SLOT(slot->arg) : 0;
	slot->begin = r->end + (gap->middle + number_unzigzag(u.gap)) * r->unit;
	slot->duration = (uint32_t)(duration * r->unit);
	r->end = slot->begin + slot->duration;
	if (device)
		usual_learn(&g->steps, u.steps);
	usual_learn(gap, u.gap);
	usual_learn(own, u.own);
	if (young)
		teach_kin(predict_kin(g, t->hook), duration);
	return true;
}

/* Slots that follow each other as they did before, up to the first that is otherwise. */
INLINE size_t decode_run(struct decoder *d, struct event *restrict slots, size_t n, bool device)
{
	struct sequence_predictor *s = &d->predictor.sequence;
	struct usual_run r = usual_begin(d, device);
	size_t i;

	for (i = 0; i < n && r.at < r.limit && s->next < s->count; i++) {
		uint32_t number = s->history[s->next];
		struct template *t = number < d->templates ? &d->template[number] : NULL;

		if (!t || (t->hook == CTRL_DEVICE) != device || !usual_slot(d, &r, t, &slots[i], device))
			break;
		sequence_learn(s, number, true);
	}
	usual_end(d, &r, device);
	d->run -= i;
	return i;
}

INLINE bool decode_one(struct decoder *d, struct event *slot, bool device)
{
	struct template *t = next_template(d);
	struct usual_run r = usual_begin(d, device);
	bool usual;

	if (!t)
		return false;
	usual = r.at < r.limit && t != &d->numberless && (t->hook == CTRL_DEVICE) == device && usual_slot(d, &r, t, slot, device);
	if (usual)
		usual_end(d, &r, device);
	else
		decode_slot(d, t, slot);
	return !d->bad;
}

INLINE size_t decode_few(struct decoder *d, struct event *slots, size_t n, bool device)
{
	size_t i = decode_run(d, slots, d->run < n ? d->run : n, device);

	return i < n ? i + decode_one(d, &slots[i], device) : i;
}

INLINE size_t decode(struct decoder *d, struct event *slots, size_t n)
{
	size_t i = 0;

	if (n > d->header.slots - d->predictor.sequence.count)
		n = d->header.slots - d->predictor.sequence.count;
	while (i < n && !d->bad) {
		if (d->predictor.hook == CTRL_DEVICE)
			i += decode_few(d, &slots[i], n - i, true);
		else
			i += decode_few(d, &slots[i], n - i, false);
	}
	return i;
}

size_t decode_slots_anywhere(struct decoder *d, struct event *slots, size_t n)
{
	return decode(d, slots, n);
}

PROCESSOR_NEWER static size_t decode_newer(struct decoder *d, struct event *slots, size_t n)
{
	return decode(d, slots, n);
}

size_t decode_slots(struct decoder *d, struct event *slots, size_t n)
{
	return processor_is_newer() ? decode_newer(d, slots, n) : decode_slots_anywhere(d, slots, n);
}
