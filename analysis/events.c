/* events.c - the second pass: every slot resolved into what a reader of the trace wants to know. */
#include <string.h>

#include "analysis/trace.h"

#define BATCH 64 /* slots */

/* An event or device slot, and what the slots behind it said about it. */
struct record {
	struct event slot;
	uint64_t position, duration, source;
	int64_t result;
	bool nested, present;
};

struct cursor {
	struct process *process;
	struct trace_file *file;
	const struct visitor *visitor;
	uint32_t ring, tid, epoch;
	int64_t step;
	struct record record; /* not handed out yet: more may be said about it */
	struct decoder decoder;
};

struct ring_position {
	uint64_t next;
	const struct trace_file *file;
};

static void name_hook(const struct process *p, uint16_t number, const char **name,
		      enum event_kind *kind)
{
	const struct hook_name *hook = table_find(&p->defs.hooks, number);

	*name = hook ? hook->name : "unknown";
	*kind = hook ? hook->kind : EV_KINDS;
}

static bool launches(enum event_kind kind)
{
	return kind == EV_LAUNCH || kind == EV_OPERATOR;
}

static uint8_t known_direction(uint64_t arg)
{
	return EVENT_DIRECTION(arg) < DIR_COUNT ? EVENT_DIRECTION(arg) : DIR_OTHER;
}

static void emit_event(struct cursor *c, const struct record *r)
{
	uint64_t end = process_time(c->process, r->slot.begin + r->duration);
	struct trace_event ev = {
		.process = c->process,
		.hook = r->slot.hook,
		.stream = r->slot.stream,
		.tid = c->tid,
		.epoch = c->epoch,
		.step = c->step,
		.ring = c->ring,
		.slot = r->position,
		.begin_ns = process_time(c->process, r->slot.begin),
		.result = r->result,
		.bytes = r->slot.arg & EVENT_BYTES,
		.source = r->source,
		.direction = known_direction(r->slot.arg),
		.nested = r->nested,
	};

	/* Both ends by the same rule: what lies inside another call stays inside. */
	ev.duration_ns = end - ev.begin_ns;
	name_hook(c->process, ev.hook, &ev.name, &ev.kind);
	if (launches(ev.kind))
		ev.launch = table_find(&c->process->defs.launches, r->slot.key);
	else
		ev.address = r->slot.key;
	c->visitor->event(c->visitor->context, &ev);
}

static uint64_t device_time(struct cursor *c, uint16_t stream, uint64_t device_ns)
{
	const struct def_stream *s = table_find(&c->process->defs.streams, stream);
	struct device *device = s ? table_find(&c->process->defs.devices, s->device) : NULL;

	/* Never calibrated: the best guess is a device that reads the host's own clock. */
	if (!device || !device->to_host.count)
		return c->process->realtime_offset + device_ns;
	return timeline_convert(&device->to_host, device_ns);
}

static void emit_device(struct cursor *c, const struct record *r)
{
	struct trace_device dev = {
		.process = c->process,
		.hook = DEVICE_REF_HOOK(r->slot.arg),
		.stream = r->slot.stream,
		.ring = DEVICE_REF_RING(r->slot.arg),
		.slot = DEVICE_REF_SLOT(r->slot.arg),
		.duration_ns = r->duration,
		.begin_ns = device_time(c, r->slot.stream, r->slot.begin),
	};

	name_hook(c->process, dev.hook, &dev.name, &dev.kind);
	if (launches(dev.kind))
		dev.launch = table_find(&c->process->defs.launches, r->slot.key);
	c->visitor->device(c->visitor->context, &dev);
}

static void emit(struct cursor *c)
{
	struct record *r = &c->record;

	if (!r->present)
		return;
	r->present = false;
	if (r->slot.hook != CTRL_DEVICE && c->visitor->event)
		emit_event(c, r);
	else if (r->slot.hook == CTRL_DEVICE && c->visitor->device)
		emit_device(c, r);
}

static void enter_epoch(struct cursor *c, uint64_t position, uint32_t epoch)
{
	const struct def_epoch *def = table_find(&c->process->defs.epochs, epoch);

	c->epoch = epoch;
	c->step = def ? def->step : STEP_NULL;
	if (c->visitor->step)
		c->visitor->step(c->visitor->context, c->ring, position, epoch);
}

static void take_control(struct cursor *c, const struct event *slot, uint64_t position)
{
	struct record *r = &c->record;

	switch (slot->hook) {
	case CTRL_STEP:
		emit(c);
		enter_epoch(c, position, (uint32_t)slot->key);
		break;
	case CTRL_THREAD:
		emit(c);
		c->tid = (uint32_t)slot->key;
		break;
	case CTRL_RESULT:
		r->result = (int64_t)slot->key;
		break;
	case CTRL_LONG:
		r->duration = slot->key;
		break;
	case CTRL_ADDRESS:
		r->source = slot->key;
		break;
	case CTRL_NESTED:
		r->nested = true;
		break;
	case CTRL_FREED:
		emit(c);
		if (c->visitor->freed)
			c->visitor->freed(c->visitor->context, slot->key,
					  process_time(c->process, slot->begin));
		break;
	}
}

/* `fresh` is false for slots that an earlier chunk held already: only their context counts. */
static inline void take_slot(struct cursor *c, const struct event *slot, uint64_t position,
			     bool fresh)
{
	if (slot->hook >= CTRL_FIRST && slot->hook != CTRL_DEVICE) {
		take_control(c, slot, position);
		return;
	}
	emit(c);
	c->record = (struct record){
		.slot = *slot,
		.position = position,
		.duration = slot->duration,
		.present = fresh,
	};
}

/* Where this ring must go on, counting what is missing before it. */
static struct ring_position *place_in_ring(struct cursor *c, const struct chunk_header *h)
{
	struct ring_position *ring = table_put(&c->process->positions, h->ring);

	/* Between two windows a ring may lose slots that nobody wanted. */
	if (ring->file == c->file && h->first_slot > ring->next)
		c->file->lost_slots += h->first_slot - ring->next;
	ring->file = c->file;
	return ring;
}

static void read_chunk(struct cursor *c, struct reader *r, const struct chunk *chunk)
{
	const struct chunk_header *h = &chunk->header;
	struct ring_position *ring;
	uint64_t position = h->first_slot;
	struct event slots[BATCH];
	size_t size, n;
	const uint8_t *payload = reader_payload(r, chunk, &size);

	if (!payload)
		return;
	ring = place_in_ring(c, h);
	c->ring = h->ring;
	c->tid = h->tid;
	enter_epoch(c, position, h->epoch);
	decode_begin(&c->decoder, payload, size);
	while ((n = decode_slots(&c->decoder, slots, BATCH))) {
		for (size_t i = 0; i < n; i++, position++)
			take_slot(c, &slots[i], position, position >= ring->next);
	}
	emit(c);
	if (c->decoder.bad)
		r->loss.bad_chunks++;
	if (position > ring->next)
		ring->next = position;
}

static void read_file(struct cursor *c)
{
	struct reader r;
	struct chunk chunk;

	if (file_open(&r, c->file, c->file->limit))
		return;
	while (reader_next(&r, &chunk)) {
		if (chunk.header.type == CHUNK_EVENTS)
			read_chunk(c, &r, &chunk);
	}
	c->file->loss = r.loss;
	reader_close(&r);
}

void process_events(struct process *p, const struct visitor *v)
{
	static struct cursor c; /* too big for a stack */

	c.process = p;
	c.visitor = v;
	c.record.present = false;
	p->positions = TABLE(struct ring_position);
	for (size_t i = 0; i < p->file_count; i++) {
		c.file = &p->files[i];
		c.file->lost_slots = 0;
		read_file(&c);
	}
	table_free(&p->positions);
}
