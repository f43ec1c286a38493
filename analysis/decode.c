#include "analysis/decode.h"

#include "agent/trace_file.h"

void decode_begin(struct decoder *d, const uint8_t *payload, size_t size)
{
	d->next = payload;
	d->end = payload + size;
	d->bad = false;
	d->last_end = d->device_begin = 0;
	d->templates = 0;
}

static uint64_t number_slow(struct decoder *d)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 64 && d->next < d->end; shift += 7) {
		uint8_t byte = *d->next++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	d->bad = true;
	return 0;
}

static inline uint64_t number(struct decoder *d)
{
	if (d->next < d->end && *d->next < 0x80)
		return *d->next++;
	return number_slow(d);
}

static inline uint64_t difference(struct decoder *d)
{
	uint64_t z = number(d);

	return z >> 1 ^ -(z & 1);
}

static void read_template(struct decoder *d, struct event *slot)
{
	uint64_t hook = number(d), stream = number(d);

	if (hook > UINT16_MAX || stream > UINT16_MAX)
		d->bad = true;
	slot->hook = (uint16_t)hook;
	slot->stream = (uint16_t)stream;
	slot->key = number(d);
	slot->arg = number(d);
}

static inline void use_template(struct decoder *d, uint64_t n, struct event *slot)
{
	const struct template *t;

	if (n >= d->templates) {
		d->bad = true;
		return;
	}
	t = &d->table[n];
	slot->hook = t->hook;
	slot->stream = t->stream;
	slot->key = t->key;
	slot->arg = t->arg;
}

static void new_template(struct decoder *d, struct event *slot)
{
	read_template(d, slot);
	if (slot->hook >= CTRL_FIRST)
		d->bad = true;
	if (d->templates < ENCODE_TEMPLATES)
		d->table[d->templates++] = (struct template){
			.key = slot->key,
			.arg = slot->arg,
			.hook = slot->hook,
			.stream = slot->stream,
		};
}

static inline uint32_t read_duration(struct decoder *d)
{
	uint64_t duration = number(d);

	if (duration > UINT32_MAX)
		d->bad = true;
	return (uint32_t)duration;
}

static void read_control(struct decoder *d, struct event *slot)
{
	read_template(d, slot);
	if (slot->hook < CTRL_FIRST)
		d->bad = true;
	if (slot->hook == CTRL_DEVICE)
		slot->begin = d->device_begin += difference(d);
	else
		slot->begin = d->last_end + difference(d);
	slot->duration = read_duration(d);
}

bool decode_slot(struct decoder *d, struct event *slot)
{
	uint64_t tag;

	if (d->next == d->end || d->bad)
		return false;

	tag = number(d);
	if (tag == TAG_CONTROL) {
		read_control(d, slot);
		return !d->bad;
	}
	if (tag == TAG_NEW)
		new_template(d, slot);
	else
		use_template(d, tag - TAG_FIRST, slot);
	slot->begin = d->last_end + difference(d);
	slot->duration = read_duration(d);
	d->last_end = slot->begin + slot->duration;
	return !d->bad;
}
