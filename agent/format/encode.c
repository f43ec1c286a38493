/* encode.c - the writer's side of CHUNK_EVENTS; free of libc but for memset() and memmove(). */
#include "agent/format/encode.h"

#include <string.h>

#include "agent/format/encode_numbers.h"
#include "agent/format/encode_units.h"
#include "agent/format/processor.h"
#include "agent/format/trace_file.h"

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

/* ---- templates ---- */

/* Both at once, whatever order that is. */
static inline uint32_t hook_stream(const struct event *ev)
{
	uint32_t both;

	_Static_assert(offsetof(struct event, stream) == offsetof(struct event, hook) + 2, "one behind the other");
	memcpy(&both, (const char *)ev + offsetof(struct event, hook), sizeof(both));
	return both;
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
static __attribute__((noinline)) uint32_t put_template(struct encoder *e, const struct event *ev)
{
	uint16_t *place = find(e, ev);

	put_word(e, e->run);
	e->run = 0;
	if (!*place)
		return define(e, place, ev);
	put_word(e, *place);
	return *place - 1u;
}

INLINE uint32_t take_template(struct encoder *e, const struct event *ev)
{
	uint32_t number = sequence_next(&e->predictor.sequence);
	bool guessed = number != GUESS_NUMBERLESS && same_template(&e->template[number], ev);

	if (OFTEN(guessed))
		e->run++;
	else
		number = put_template(e, ev);
	sequence_learn(&e->predictor.sequence, number, guessed);
	return number;
}

/* ---- slots ---- */

/* device: is it a CTRL_DEVICE? */
INLINE void encode_slot(struct encoder *e, struct encode_bits *b, const struct event *ev, bool device)
{
	const struct encode_unit *unit = device ? &e->device : &e->host;
	struct predictor *p = &e->predictor;
	struct number_predictor *gap = predict_gap(p, ev->hook), *own;
	uint32_t number = take_template(e, ev);
	uint64_t before = ev->begin - (device ? p->device_end : p->end);
	uint64_t steps = (uint64_t)(int32_t)(DEVICE_REF_SLOT(ev->arg) - p->device_slot);
	bool young;

	own = OFTEN(number != GUESS_NUMBERLESS) ? &e->template[number].duration : predict_kin(p, ev->hook);
	young = own->seen < NUMBER_YOUNG && number != GUESS_NUMBERLESS;
	if (device && SELDOM(!put_usual_steps(b, &p->steps, steps)))
		*b = with_number(*b, &p->steps, &plain, steps);
	if (SELDOM(!put_usual(b, gap, own, unit, before, ev->duration)))
		*b = with_numbers(*b, gap, own, predict_kin(p, ev->hook), unit, before, ev->duration);
	else if (SELDOM(young))
		teach_kin(predict_kin(p, ev->hook), unit, ev->duration);
	predict_learn(p, ev);
}

static inline bool speaks_of_the_slot_before(const struct event *ev)
{
	return ev->hook == CTRL_RESULT || ev->hook == CTRL_LONG || ev->hook == CTRL_ADDRESS ||
	       ev->hook == CTRL_NESTED || ev->hook == CTRL_ITEMS || ev->hook == CTRL_CAPTURED ||
	       ev->hook == CTRL_TOTALS || ev->hook == CTRL_STACK;
}

/* Is there room for another slot, and if it may begin a chunk for all that may speak of it? */
static inline bool room(const struct encoder *e, const struct encode_bits *b, const struct event *ev)
{
	bool inside = speaks_of_the_slot_before(ev);
	size_t size = (inside ? ENCODE_SLOT_MAX : ENCODE_GROUP_MAX) / 2;

	return b->next + size <= e->first_word - ENCODE_STORE && e->words + size <= e->end &&
	       e->predictor.sequence.count + (inside ? 1 : ENCODE_GROUP) <= GUESS_SLOTS;
}

static inline size_t at_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many slots have room whatever they are: the next one need not be asked. */
static inline size_t surely(const struct encoder *e, const struct encode_bits *b)
{
	const size_t group = ENCODE_GROUP_MAX / 2, slot = ENCODE_SLOT_MAX / 2;
	ptrdiff_t numbers = e->first_word - ENCODE_STORE - b->next, words = e->end - e->words;
	uint32_t count = e->predictor.sequence.count;

	if (numbers < (ptrdiff_t)group || words < (ptrdiff_t)group || count > GUESS_SLOTS - ENCODE_GROUP)
		return 0;
	return at_least(GUESS_SLOTS - ENCODE_GROUP - count, at_least((size_t)numbers - group, (size_t)words - group) / slot);
}

INLINE size_t encode(struct encoder *e, const struct event *slots, size_t n)
{
	struct encode_bits b = e->numbers; /* where nothing else can point to: in registers */
	const struct event *ev = slots, *end = slots + n;
	uint32_t events = 0;

	if (!e->predictor.sequence.count)
		encode_choose_units(e, slots, n);
	while (ev < end) {
		size_t sure = surely(e, &b);
		const struct event *stop = ev + at_least((size_t)(end - ev), sure ? sure : 1);

		if (!sure && !room(e, &b, ev))
			break;
		for (; ev < stop; ev++) {
			if (SELDOM(encode_is_context(ev) && ev != slots))
				goto out;
			events += ev->hook < CTRL_FIRST;
			if (ev->hook == CTRL_DEVICE)
				encode_slot(e, &b, ev, true);
			else
				encode_slot(e, &b, ev, false);
		}
	}
out:
	e->numbers = b;
	e->events += events;
	return (size_t)(ev - slots);
}

static size_t encode_older(struct encoder *e, const struct event *slots, size_t n)
{
	return encode(e, slots, n);
}

PROCESSOR_NEWER static size_t encode_newer(struct encoder *e, const struct event *slots, size_t n)
{
	return encode(e, slots, n);
}

size_t encode_until_context(struct encoder *e, const struct event *slots, size_t n)
{
	return processor_is_newer() ? encode_newer(e, slots, n) : encode_older(e, slots, n);
}

static size_t encode_all(struct encoder *e, const struct event *slots, size_t n, size_t (*some)(struct encoder *, const struct event *, size_t))
{
	size_t all = 0, done = n;

	for (; done && all < n; all += done)
		done = some(e, slots + all, n - all);
	return all;
}

size_t encode_slots_anywhere(struct encoder *e, const struct event *slots, size_t n)
{
	return encode_all(e, slots, n, encode_older);
}

size_t encode_slots(struct encoder *e, const struct event *slots, size_t n)
{
	return encode_all(e, slots, n, encode_until_context);
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
