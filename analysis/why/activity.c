#include "analysis/why/activity.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/hash.h"
#include "analysis/util/alloc.h"
#include "analysis/why/event_subjects.h"
#include "analysis/why/marked_times.h"
#include "analysis/why/meeting.h"

struct reading {
	struct activity *activity;
	struct event_subjects subjects;
	struct marked_times marked;
	struct table kernels;  /* bool, by subject of a launch: it was there before */
	struct table meetings; /* uint32_t by communicator, step and call: how many there were */
};

#define FAR (1ull << 40) /* thread ids as keys of a table: they are not near each other */

static uint64_t place_of(uint32_t ring, uint64_t slot)
{
	return (uint64_t)(uint16_t)ring << 32 | (uint32_t)slot;
}

/* ---- calls ---- */

/* Send and receive are between two: who meets whom cannot be told by their order. */
static bool is_between_two(const char *name)
{
	return strcasestr(name, "send") || strcasestr(name, "recv");
}

/* A rank's n-th all-reduce of a step on a communicator is that of all others, if all count it to the same step. */
static uint64_t meeting_of(struct reading *r, const struct trace_event *ev)
{
	const struct collective *made = ev->definition;
	const struct communicator *c = made ? made->communicator : NULL;
	uint64_t hash = hash_text(HASH_BEGIN, ev->name), kind;
	uint32_t *number;

	if (!c || !c->def.group || ev->step == STEP_NULL || is_between_two(ev->name))
		return 0;
	kind = hash_bytes(hash, &c->def.group, sizeof(c->def.group));
	hash = hash_bytes(kind, &ev->step, sizeof(ev->step)) | TABLE_NEAR;
	number = table_put(&r->meetings, hash);
	++*number;
	return meeting_make(kind, hash_bytes(hash, number, sizeof(*number)));
}

static bool is_first(struct reading *r, uint32_t subject)
{
	bool *there = table_put(&r->kernels, subject);
	bool first = !*there;

	*there = true;
	return first;
}

static enum call_layer layer_of_call(enum event_kind kind)
{
	if (kind == EV_SYNC)
		return CALLS_WAITING;
	return event_subjects_kind(kind) == WHY_HOST_CALL ? CALLS_OTHER : CALLS_SPECIAL;
}

/* Of a call that gives work which its own subject does not name. */
static void take_work(struct reading *r, struct item *c, const struct trace_event *ev)
{
	c->communicates = c->collective = ev->kind == EV_COLLECTIVE;
	c->has_work = c->communicates || ev->kind == EV_COPY || ev->kind == EV_FILL;
	if (c->communicates) {
		c->work = event_subjects_collective(&r->subjects, ev->hook, ev->name);
		c->meeting = meeting_of(r, ev);
	} else if (c->has_work) {
		c->work = event_subjects_copy(&r->subjects, ev->hook, ev->name, ev->direction);
	}
}

static void take_event(void *context, const struct trace_event *ev)
{
	struct reading *r = context;
	struct item *c;

	if (ev->kind == EV_MARKER)
		marked_times_take(&r->marked, ev);
	if (ev->kind == EV_POOL_ALLOC || ev->kind == EV_POOL_FREE)
		return; /* what an allocator tells takes no time of its own */
	c = items_add(&r->activity->calls, ev->begin_ns, ev->begin_ns + ev->duration_ns, event_subjects_call(&r->subjects, ev));
	c->at = place_of(ev->ring, ev->slot);
	c->bytes = ev->bytes;
	c->tid = ev->tid;
	c->layer = layer_of_call(ev->kind);
	c->first = ev->launch && is_first(r, c->subject);
	take_work(r, c, ev);
}

/* What is launched inside a collective is that one's. Calls in order. */
static void find_inside(struct items *calls)
{
	struct table open = TABLE(const struct item *); /* by thread: the last collective */

	for (size_t i = 0; i < calls->count; i++) {
		struct item *c = &calls->list[i];
		const struct item **around = table_put(&open, (uint64_t)c->tid | FAR);

		if (c->communicates) {
			*around = c;
		} else if (*around && c->begin < (*around)->end) {
			c->work = (*around)->work;
			c->meeting = (*around)->meeting;
			c->has_work = c->communicates = true;
		}
	}
	table_free(&open);
}

/* ---- work ---- */

static bool layer_of_work(enum event_kind kind, enum work_layer *layer)
{
	switch (kind) {
	case EV_OPERATOR: *layer = WORKS_OPERATORS; return true;
	case EV_LAUNCH: *layer = WORKS_LAUNCHES; return true;
	case EV_COPY:
	case EV_FILL: *layer = WORKS_COPIES; return true;
	case EV_COLLECTIVE: *layer = WORKS_COLLECTIVES; return true;
	default: return false;
	}
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct reading *r = context;
	enum work_layer layer;
	struct item *w;

	if (!layer_of_work(dev->kind, &layer))
		return;
	w = items_add(&r->activity->works, dev->begin_ns, dev->begin_ns + dev->duration_ns, event_subjects_work(&r->subjects, dev));
	w->at = place_of(dev->ring, dev->slot);
	w->layer = (uint8_t)layer;
}

/* ---- both together ---- */

/* Which call an event's place is, page by page: a process that lost some of its events has gaps there. */
#define PAGE_BITS 12
#define PAGE_SIZE (1u << PAGE_BITS)

static void note_places(const struct items *calls, struct table *pages)
{
	for (size_t i = 0; i < calls->count; i++) {
		uint64_t at = calls->list[i].at;
		uint32_t **page = table_put(pages, at >> PAGE_BITS);

		if (!*page)
			*page = alloc_zero(PAGE_SIZE, sizeof(**page));
		(*page)[at & (PAGE_SIZE - 1)] = (uint32_t)i + 1;
	}
}

static const struct item *call_at(const struct items *calls, const struct table *pages, uint64_t at)
{
	uint32_t **page = table_find(pages, at >> PAGE_BITS), number = page ? (*page)[at & (PAGE_SIZE - 1)] : 0;

	return number ? &calls->list[number - 1] : NULL;
}

/* When it was given to the device, and by which call. */
static void join(struct items *works, const struct items *calls)
{
	struct table pages = TABLE(uint32_t *);

	note_places(calls, &pages);
	for (size_t i = 0; i < works->count; i++) {
		struct item *w = &works->list[i];
		const struct item *c = call_at(calls, &pages, w->at);

		if (!c)
			continue;
		w->given = c->end;
		w->bytes = c->bytes;
		w->first = c->first;
		w->tid = c->tid;
		w->meeting = c->meeting;
		if (c->has_work)
			w->subject = c->work;
		if (c->communicates)
			w->layer = WORKS_COLLECTIVES;
	}
	for (size_t i = 0; i < pages.count; i++)
		free(*(uint32_t **)table_item(&pages, i));
	table_free(&pages);
}

static size_t events_of(const struct process *p)
{
	uint64_t events = 0;

	for (size_t i = 0; i < p->file_count; i++)
		events += p->files[i].kept;
	return events;
}

void activity_read(struct activity *a, struct process *p, struct subjects *subjects)
{
	struct reading r = {
		.activity = a,
		.subjects = EVENT_SUBJECTS(subjects),
		.kernels = TABLE(bool),
		.meetings = TABLE(uint32_t),
	};
	struct visitor v = { .event = take_event, .device = take_device, .context = &r };

	items_begin(&a->marked, 0);
	items_begin(&a->calls, events_of(p));
	items_begin(&a->works, events_of(p));
	marked_times_begin(&r.marked, &a->marked, subjects);
	process_events(p, &v);
	marked_times_end(&r.marked, p);
	items_sort(&a->calls);
	find_inside(&a->calls);
	join(&a->works, &a->calls);
	items_sort(&a->works);
	items_lay(&a->host, &a->calls, CALL_LAYERS);
	items_lay(&a->device, &a->works, WORK_LAYERS);
	event_subjects_free(&r.subjects);
	table_free(&r.kernels);
	table_free(&r.meetings);
}

void activity_free(struct activity *a)
{
	items_free(&a->marked);
	items_free(&a->calls);
	items_free(&a->works);
	segments_free(&a->host);
	segments_free(&a->device);
}
