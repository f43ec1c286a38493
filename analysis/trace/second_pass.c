/* second_pass.c - the second pass: every slot resolved into what a reader of the trace wants to know. */
#include <string.h>

#include "agent/format/decode.h"
#include "analysis/trace/devices.h"
#include "analysis/trace/event_meaning.h"
#include "analysis/trace/lost_calls.h"
#include "analysis/trace/operator_times.h"
#include "analysis/trace/pending.h"
#include "analysis/trace/trace.h"

#define BATCH	64 /* slots */
#define STRETCH 16 /* events */

struct cursor {
	struct process *process;
	struct trace_file *file;
	const struct visitor *visitor;
	struct trace_event events[1 + STRETCH]; /* the first is none: ring, thread and step are the same in all, and stay */
	struct trace_event *event;		/* the last that is not handed out yet: later slots may say more about it */
	struct trace_event *full;		/* behind this one none may come before what is held is handed out */
	uint64_t ticks;				/* when it began */
	bool has_device;			/* not handed out yet; then no event is behind it */
	struct trace_device device;
	struct operator_times operators;
	struct pending copied; /* device times handed out before they come in their rings' place */
	struct decoder decoder;
};

struct ring_position {
	uint64_t next;
	const struct trace_file *file;
};

/* Both ends by the same rule: what lies inside another call stays inside. */
static inline void set_duration(struct cursor *c, uint64_t ticks)
{
	c->event->duration_ns = process_time(c->process, c->ticks + ticks) - c->event->begin_ns;
}

static inline void take_event(struct cursor *c, const struct event *slot, uint64_t position)
{
	struct trace_event *ev = ++c->event;
	const struct hook_name *hook = hook_of(c->process, slot->hook);

	ev->name = hook->name;
	ev->kind = hook->kind;
	ev->flags = hook->flags;
	ev->hook = slot->hook;
	ev->stream = slot->stream;
	ev->slot = position;
	ev->launch = NULL;
	ev->definition = NULL;
	ev->address = slot->key;
	ev->source = ev->items = ev->plan = 0;
	ev->bytes = slot->arg & EVENT_BYTES;
	ev->direction = known_direction(slot->arg);
	ev->result = 0;
	ev->stack = ev->native = NULL;
	ev->nested = ev->captured = ev->has_totals = ev->nameless = ev->unusual = ev->has_stack = ev->stack_lost = false;
	take_meaning(ev, &c->process->defs, slot, hook);
	ev->begin_ns = process_time(c->process, slot->begin);
	c->ticks = slot->begin;
	set_duration(c, slot->duration);
}

static void take_device(struct cursor *c, const struct event *slot)
{
	uint16_t number = DEVICE_REF_HOOK(slot->arg);
	const struct hook_name *hook = hook_of(c->process, number);
	const struct launch *launch = launches(hook->kind) ? table_find(&c->process->defs.launches, slot->key) : NULL;
	struct device *device = devices_of_stream(c->process, slot->stream);

	c->device = (struct trace_device){
		.process = c->process,
		.name = function_name(hook, launch),
		.kind = hook->kind,
		.launch = launch,
		.collective = hook->kind == EV_COLLECTIVE ? table_find(&c->process->defs.collectives, slot->key) : NULL,
		.hook = number,
		.stream = slot->stream,
		.ring = DEVICE_REF_RING(slot->arg),
		.slot = DEVICE_REF_SLOT(slot->arg),
		.begin_ns = devices_time(c->process, device, slot->begin),
		.duration_ns = slot->duration,
		.source = device ? device->source : NULL,
	};
}

static void forget_events(struct cursor *c)
{
	c->events->hook = c->event->hook; /* pieces may follow */
	c->event = c->events;
}

static void emit_events(struct cursor *c)
{
	const struct visitor *v = c->visitor;

	if (v->events)
		v->events(v->context, c->events + 1, (size_t)(c->event - c->events));
	for (const struct trace_event *ev = c->events; v->event && ev < c->event;)
		v->event(v->context, ++ev);
	if (c->operators.wanted)
		operator_times_calls(&c->operators, c->events + 1, (size_t)(c->event - c->events));
	forget_events(c);
}

static void emit_device(struct cursor *c)
{
	if (c->operators.wanted)
		operator_times_device(&c->operators, &c->device);
	else if (c->visitor->device)
		c->visitor->device(c->visitor->context, &c->device);
	c->has_device = false;
}

static void emit(struct cursor *c)
{
	if (c->event > c->events)
		emit_events(c);
	if (c->has_device)
		emit_device(c);
	c->full = c->events + STRETCH;
}

static void enter_epoch(struct cursor *c, uint64_t position, uint32_t epoch)
{
	const struct def_epoch *def = table_find(&c->process->defs.epochs, epoch);
	const struct step_place *place = table_find(&c->process->defs.places, epoch);

	for (size_t i = 0; i <= STRETCH; i++) {
		struct trace_event *ev = &c->events[i];

		ev->epoch = epoch;
		ev->step = def ? def->step : STEP_NULL;
		ev->place = place;
		ev->stepless = epoch && !def;
	}
	if (c->visitor->step)
		c->visitor->step(c->visitor->context, c->event->ring, position, epoch);
}

static void enter_thread(struct cursor *c, uint32_t ring, uint32_t tid)
{
	for (size_t i = 0; i <= STRETCH; i++) {
		c->events[i].ring = ring;
		c->events[i].tid = tid;
	}
}

static void take_piece(struct cursor *c, const struct event *slot)
{
	struct trace_piece piece = {
		.pool = slot->stream ? table_find(&c->process->defs.pools, slot->stream) : NULL,
		.address = slot->key,
		.bytes = slot->arg & EVENT_BYTES,
		.ns = process_time(c->process, slot->begin),
		.step = c->event->step,
		.hook = c->event->hook,
		.is_free = slot->hook == CTRL_FREED,
	};

	if (c->visitor->piece)
		c->visitor->piece(c->visitor->context, &piece);
}

static void take_lost(struct cursor *c, const struct event *slot)
{
	const struct def_lost lost = { slot->key, slot->begin, slot->arg, c->event->tid };

	operator_times_gap(&c->operators, c->event->ring);
	lost_calls_tell(c->visitor, c->process, &lost);
}

/* What most of them tell is more of the last event. */
static void take_control(struct cursor *c, const struct event *slot, uint64_t position)
{
	c->event->unusual = true;
	switch (slot->hook) {
	case CTRL_STEP:
		emit(c);
		enter_epoch(c, position, (uint32_t)slot->key);
		break;
	case CTRL_THREAD:
		emit(c);
		enter_thread(c, c->event->ring, (uint32_t)slot->key);
		break;
	case CTRL_LOST:
		emit(c);
		take_lost(c, slot);
		break;
	case CTRL_RESULT:
		c->event->result = (int64_t)slot->key;
		break;
	case CTRL_LONG:
		if (c->has_device)
			c->device.duration_ns = slot->key;
		else
			set_duration(c, slot->key);
		break;
	case CTRL_ADDRESS:
		c->event->source = slot->key;
		break;
	case CTRL_ITEMS:
		c->event->items = slot->key;
		break;
	case CTRL_NESTED:
		c->event->nested = true;
		break;
	case CTRL_CAPTURED:
		c->event->captured = true;
		break;
	case CTRL_TOTALS:
		c->event->has_totals = true;
		c->event->allocated = slot->key;
		c->event->reserved = slot->arg;
		break;
	case CTRL_STACK:
		take_stack(c->event, &c->process->defs.stacks, slot);
		break;
	case CTRL_FREED:
	case CTRL_GIVEN:
		emit(c);
		take_piece(c, slot);
		break;
	}
}

/* An earlier chunk held it already, or the file of its event had a copy. */
static bool is_known(struct cursor *c, const struct ring_position *ring, const struct event *slot, uint64_t position)
{
	struct pending_time copy;

	return position < ring->next || (slot->hook == CTRL_DEVICE && pending_take(&c->copied, slot->arg, &copy));
}

static void hold_device(struct cursor *c, const struct event *slot)
{
	emit(c);
	take_device(c, slot);
	c->has_device = true;
	c->full = c->events;
}

static inline void take_slot(struct cursor *c, const struct event *slot, uint64_t position)
{
	if (slot->hook < CTRL_FIRST) {
		if (c->event == c->full)
			emit(c);
		take_event(c, slot, position);
	} else if (slot->hook == CTRL_DEVICE) {
		hold_device(c, slot);
	} else {
		take_control(c, slot, position);
	}
}

/* Of slots that are known only the context counts. */
static void drop(struct cursor *c)
{
	forget_events(c);
	c->has_device = false;
	c->full = c->events + STRETCH;
}

/* Where this ring must go on, counting what is missing before it. */
static struct ring_position *place_in_ring(struct cursor *c, const struct chunk_header *h)
{
	struct ring_position *ring = table_put(&c->process->positions, h->ring);

	/* Between two windows a ring may lose slots that nobody wanted. */
	if (ring->file == c->file && h->first_slot > ring->next)
		c->file->lost_slots += h->first_slot - ring->next;
	if (h->first_slot > ring->next)
		operator_times_gap(&c->operators, h->ring);
	ring->file = c->file;
	return ring;
}

static void read_chunk(struct cursor *c, struct reader *r, const struct chunk *chunk)
{
	const struct chunk_header *h = &chunk->header;
	struct ring_position *ring;
	bool some_known;
	uint64_t position = h->first_slot;
	struct event slots[BATCH];
	size_t size, n;
	const uint8_t *payload = reader_payload(r, chunk, &size);

	if (!payload)
		return;
	ring = place_in_ring(c, h);
	some_known = position < ring->next || c->copied.count;
	enter_thread(c, h->ring, h->tid);
	enter_epoch(c, position, h->epoch);
	decode_begin(&c->decoder, payload, size);
	while ((n = decode_slots(&c->decoder, slots, BATCH))) {
		for (size_t i = 0; i < n; i++, position++) {
			take_slot(c, &slots[i], position);
			if (some_known && is_known(c, ring, &slots[i], position))
				drop(c);
		}
	}
	emit(c);
	if (c->decoder.bad)
		r->loss.bad_chunks++;
	if (position > ring->next)
		ring->next = position;
}

/* Device times of this file's events, which come again in a later file. */
static void read_copies(struct cursor *c, struct reader *r, const struct chunk *chunk)
{
	struct event slots[BATCH];
	size_t size, n;
	const uint8_t *payload = reader_payload(r, chunk, &size);

	if (!payload)
		return;
	decode_begin(&c->decoder, payload, size);
	while ((n = decode_slots(&c->decoder, slots, BATCH))) {
		for (size_t i = 0; i < n; i++) {
			if (slots[i].hook == CTRL_LONG)
				take_control(c, &slots[i], 0);
			if (slots[i].hook != CTRL_DEVICE)
				continue;
			hold_device(c, &slots[i]);
			pending_put_time(&c->copied, &(struct pending_time){ .event = slots[i].arg });
		}
	}
	emit(c);
	if (c->decoder.bad)
		r->loss.bad_chunks++;
}

static void read_file(struct cursor *c)
{
	struct reader r;
	struct chunk chunk;

	if (trace_file_open(&r, c->file, c->file->limit))
		return;
	while (reader_next(&r, &chunk)) {
		if (chunk.header.type == CHUNK_EVENTS)
			read_chunk(c, &r, &chunk);
		else if (chunk.header.type == CHUNK_TIMES)
			read_copies(c, &r, &chunk);
	}
	c->file->loss = r.loss;
	c->file->loss.bad_chunks += c->file->refused;
	reader_close(&r);
}

static void read_files(struct process *p, size_t first, size_t end, const struct visitor *v)
{
	static struct cursor c; /* too big for a stack */

	c.process = p;
	c.visitor = v;
	c.event = c.events;
	c.full = c.events + STRETCH;
	for (size_t i = 0; i <= STRETCH; i++)
		c.events[i].process = p;
	p->positions = TABLE(struct ring_position);
	operator_times_begin(&c.operators, p, v->device, v->context);
	for (size_t i = first; i < end; i++) {
		c.file = &p->files[i];
		c.file->lost_slots = 0;
		read_file(&c);
	}
	operator_times_end(&c.operators);
	table_free(&p->positions);
	pending_free(&c.copied);
	for (size_t i = 0; end == p->file_count && i < p->defs.losses.count; i++)
		lost_calls_tell(v, p, table_item(&p->defs.losses, i));
}

void process_events(struct process *p, const struct visitor *v)
{
	read_files(p, 0, p->file_count, v);
}

void process_events_of(struct process *p, size_t file, const struct visitor *v)
{
	read_files(p, file, file + 1, v);
}
