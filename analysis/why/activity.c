#include "analysis/why/activity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/hash.h"
#include "analysis/trace/ranges.h"
#include "analysis/trace/shapes.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"

struct reading {
	struct activity *activity;
	struct subjects *subjects;
	struct table known;   /* uint32_t subject + 1, by what an event names */
	struct table kernels; /* bool, by subject of a launch: it was there before */
	struct ranges ranges;
	struct table meetings; /* uint32_t by communicator, step and call: how many there were */
};

/* ---- what they are about ---- */

static void put_sizes(char *text, size_t size, const struct launch *l)
{
	size_t used = 0;

	text[0] = '\0';
	if (l->shapes) {
		shapes_line(text, size, l->shapes);
		return;
	}
	for (uint32_t i = 0; i < l->def.dimensions && i < 3 && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, i ? "x" : "", l->def.global[i]);
}

static const char *name_of(const struct launch *l)
{
	return l && l->shown ? l->shown : "an unnamed kernel";
}

static uint64_t known_key(enum why_kind kind, uint16_t hook, const void *named)
{
	return (hash_bytes(HASH_BEGIN, &named, sizeof(named)) ^ (uint64_t)kind << 56 ^ (uint64_t)hook << 40) | TABLE_NEAR;
}

/* sizes: its detail is the launch's sizes, not its kernel. Most events of a process name what others named. */
static uint32_t subject_of(struct reading *r, enum why_kind kind, uint16_t hook, const char *name, const struct launch *l, bool sizes)
{
	uint32_t *known = table_put(&r->known, known_key(kind, hook, l));
	char detail[SHAPES_LINE];

	if (*known)
		return *known - 1;
	detail[0] = '\0';
	if (l && sizes)
		put_sizes(detail, sizeof(detail), l);
	else if (l && l->shown)
		snprintf(detail, sizeof(detail), "%s", l->shown);
	*known = subjects_number(r->subjects, kind, name, detail) + 1;
	return *known - 1;
}

static uint32_t copy_of(struct reading *r, const struct trace_event *ev)
{
	uint64_t key = known_key(WHY_COPY, ev->hook, NULL) + ev->direction;
	uint32_t *known = table_put(&r->known, key);

	if (!*known)
		*known = subjects_number(r->subjects, WHY_COPY, ev->name, ev->direction < DIR_COUNT ? direction_words[ev->direction] : "") + 1;
	return *known - 1;
}

static enum why_kind kind_of_call(enum event_kind kind)
{
	switch (kind) {
	case EV_ALLOC:
	case EV_FREE: return WHY_ALLOCATION;
	case EV_MODULE: return WHY_FIRST_CALL;
	default: return WHY_HOST_CALL;
	}
}

static enum call_layer layer_of_call(enum event_kind kind)
{
	if (kind == EV_SYNC)
		return CALLS_WAITING;
	return kind_of_call(kind) == WHY_HOST_CALL ? CALLS_OTHER : CALLS_SPECIAL;
}

/* ---- what was marked ---- */

static void add_range(struct reading *r, uint64_t begin, uint64_t end, const char *name)
{
	struct activity *a = r->activity;

	if (!name || end <= begin)
		return;
	if (a->range_count == a->range_capacity) {
		a->range_capacity = a->range_capacity ? 2 * a->range_capacity : 256;
		a->ranges = alloc_grow(a->ranges, a->range_capacity, sizeof(*a->ranges));
	}
	a->ranges[a->range_count++] = (struct named_time){ begin, end, subjects_number(r->subjects, WHY_UNEXPLAINED, name, "") };
}

static void take_range(void *context, const struct range *range)
{
	if (range->ended && range->marker && !range->marker->communication)
		add_range(context, range->begin, range->end, range->marker->message);
}

static void take_stages(struct reading *r, struct process *p)
{
	for (size_t i = 0; i < p->defs.stages.count; i++) {
		const struct stage *stage = table_item(&p->defs.stages, i);

		if (stage->def.begin && stage->def.end)
			add_range(r, process_time(p, stage->def.begin), process_time(p, stage->def.end), stage->role);
	}
}

/* ---- calls ---- */

static uint64_t place_of(uint32_t ring, uint64_t slot)
{
	return (uint64_t)(uint16_t)ring << 32 | (uint32_t)slot;
}

/* Send and receive are between two: who meets whom cannot be told by their order. */
static bool is_between_two(const char *name)
{
	return strcasestr(name, "send") || strcasestr(name, "recv");
}

/* A rank's n-th all-reduce of a step on a communicator is that of all others. */
static uint64_t meeting_of(struct reading *r, const struct trace_event *ev)
{
	const struct collective *made = ev->definition;
	const struct communicator *c = made ? made->communicator : NULL;
	uint64_t hash = hash_text(HASH_BEGIN, ev->name);
	uint32_t *number;

	if (!c || !c->def.group || ev->step == STEP_NULL || is_between_two(ev->name))
		return 0;
	hash = hash_bytes(hash, &c->def.group, sizeof(c->def.group));
	hash = hash_bytes(hash, &ev->step, sizeof(ev->step)) | TABLE_NEAR;
	number = table_put(&r->meetings, hash);
	++*number;
	return hash_bytes(hash, number, sizeof(*number)) | TABLE_NEAR;
}

static bool is_first(struct reading *r, uint32_t subject)
{
	bool *there = table_put(&r->kernels, subject);
	bool first = !*there;

	*there = true;
	return first;
}

static void take_event(void *context, const struct trace_event *ev)
{
	struct reading *r = context;
	struct activity *a = r->activity;
	enum why_kind kind = kind_of_call(ev->kind);
	struct call *c;

	if (ev->kind == EV_MARKER)
		ranges_take(&r->ranges, ev);
	if (ev->kind == EV_POOL_ALLOC || ev->kind == EV_POOL_FREE)
		return; /* what an allocator tells takes no time of its own */
	if (a->call_count == a->call_capacity) {
		a->call_capacity = a->call_capacity ? 2 * a->call_capacity : 4096;
		a->calls = alloc_grow(a->calls, a->call_capacity, sizeof(*a->calls));
	}
	c = &a->calls[a->call_count++];
	*c = (struct call){
		.begin = ev->begin_ns,
		.end = ev->begin_ns + ev->duration_ns,
		.at = place_of(ev->ring, ev->slot),
		.bytes = ev->bytes,
		.tid = ev->tid,
		.subject = subject_of(r, kind, ev->hook, ev->name, ev->launch, false),
		.layer = layer_of_call(ev->kind),
	};
	c->communicates = ev->kind == EV_COLLECTIVE;
	c->has_work = c->communicates || ev->kind == EV_COPY || ev->kind == EV_FILL;
	if (c->communicates) {
		c->work = subject_of(r, WHY_TRANSFER, ev->hook, ev->name, NULL, true);
		c->meeting = meeting_of(r, ev);
	} else if (c->has_work) {
		c->work = copy_of(r, ev);
	}
	c->first = ev->launch && is_first(r, c->subject);
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
	struct activity *a = r->activity;
	enum work_layer layer;
	struct device_work w = { .begin = dev->begin_ns, .end = dev->begin_ns + dev->duration_ns, .at = place_of(dev->ring, dev->slot) };

	if (!layer_of_work(dev->kind, &layer))
		return;
	w.layer = layer;
	if (layer == WORKS_COPIES)
		w.subject = subject_of(r, WHY_COPY, dev->hook, dev->name, NULL, true); /* its call tells the direction */
	else if (layer == WORKS_COLLECTIVES)
		w.subject = subject_of(r, WHY_TRANSFER, dev->hook, dev->name, NULL, true);
	else
		w.subject = subject_of(r, WHY_KERNEL_TIME, layer == WORKS_OPERATORS ? dev->hook : 0,
				       dev->launch ? name_of(dev->launch) : dev->name, dev->launch, true);
	if (a->work_count == a->work_capacity) {
		a->work_capacity = a->work_capacity ? 2 * a->work_capacity : 4096;
		a->works = alloc_grow(a->works, a->work_capacity, sizeof(*a->works));
	}
	a->works[a->work_count++] = w;
}

/* ---- both together ---- */

static int by_begin(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

static int works_by_begin(const void *a, const void *b)
{
	const struct device_work *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* What is launched inside a collective is that one's. Calls by begin. */
static void find_inside(struct activity *a)
{
	struct table open = TABLE(const struct call *); /* by thread: the last collective */

	for (size_t i = 0; i < a->call_count; i++) {
		struct call *c = &a->calls[i];
		const struct call **around = table_put(&open, (uint64_t)c->tid | 1ull << 40);

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

/* Which call an event's place is, page by page: a process that lost some of its events has gaps there. */
#define PAGE_BITS 12
#define PAGE_SIZE (1u << PAGE_BITS)

static uint32_t *page_of(const struct table *pages, uint64_t at)
{
	uint32_t **page = table_find(pages, at >> PAGE_BITS);

	return page ? *page : NULL;
}

static void note_places(const struct activity *a, struct table *pages)
{
	uint64_t number = UINT64_MAX;
	uint32_t *page = NULL;

	for (size_t i = 0; i < a->call_count; i++) {
		uint64_t at = a->calls[i].at;

		if (!page || at >> PAGE_BITS != number) {
			uint32_t **kept = table_put(pages, number = at >> PAGE_BITS);

			if (!*kept)
				*kept = alloc_zero(PAGE_SIZE, sizeof(**kept));
			page = *kept;
		}
		page[at & (PAGE_SIZE - 1)] = (uint32_t)i + 1;
	}
}

static const struct call *call_at(const struct activity *a, const struct table *pages, uint64_t at)
{
	const uint32_t *page = page_of(pages, at);
	uint32_t number = page ? page[at & (PAGE_SIZE - 1)] : 0;

	return number ? &a->calls[number - 1] : NULL;
}

/* When it was given to the device, and by which call. */
static void join(struct activity *a)
{
	struct table pages = TABLE(uint32_t *);

	note_places(a, &pages);
	for (size_t i = 0; i < a->work_count; i++) {
		struct device_work *w = &a->works[i];
		const struct call *c = call_at(a, &pages, w->at);

		if (!c)
			continue;
		w->issued_end = c->end;
		w->bytes = c->bytes;
		w->first = c->first;
		w->tid = c->tid;
		if (c->has_work)
			w->subject = c->work;
		if (!c->communicates)
			continue;
		w->layer = WORKS_COLLECTIVES;
		w->meeting = c->meeting;
	}
	for (size_t i = 0; i < pages.count; i++)
		free(*(uint32_t **)table_item(&pages, i));
	table_free(&pages);
}

static int ranges_by_begin(const void *a, const void *b)
{
	const struct named_time *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

/* They come nearly in order, and often quite. */
static void put_in_order(void *list, size_t count, size_t size, int (*order)(const void *, const void *))
{
	char *at = list;

	for (size_t i = 1; i < count; i++, at += size)
		if (order(at, at + size) > 0) {
			qsort(list, count, size, order);
			return;
		}
}

static void lay_calls(struct activity *a)
{
	for (enum call_layer layer = 0; layer < CALL_LAYERS; layer++) {
		struct segments one = { 0 };

		for (uint32_t i = 0; i < a->call_count; i++)
			if (a->calls[i].layer == layer)
				segments_add(&one, a->calls[i].begin, a->calls[i].end, i);
		segments_lay_over(&a->host, &one);
		segments_free(&one);
	}
}

static void lay_works(struct activity *a)
{
	for (enum work_layer layer = 0; layer < WORK_LAYERS; layer++) {
		struct segments one = { 0 };

		for (uint32_t i = 0; i < a->work_count; i++)
			if (a->works[i].layer == layer)
				segments_add(&one, a->works[i].begin, a->works[i].end, i);
		segments_lay_over(&a->device, &one);
		segments_free(&one);
	}
}

void activity_read(struct activity *a, struct process *p, struct subjects *subjects)
{
	struct reading r = {
		.activity = a,
		.subjects = subjects,
		.known = TABLE(uint32_t),
		.kernels = TABLE(bool),
		.ranges = RANGES(take_range, &r),
		.meetings = TABLE(uint32_t),
	};
	struct visitor v = { .event = take_event, .device = take_device, .context = &r };

	*a = (struct activity){ 0 };
	process_events(p, &v);
	ranges_finish(&r.ranges);
	take_stages(&r, p);
	put_in_order(a->ranges, a->range_count, sizeof(*a->ranges), ranges_by_begin);
	put_in_order(a->calls, a->call_count, sizeof(*a->calls), by_begin);
	find_inside(a);
	join(a);
	put_in_order(a->works, a->work_count, sizeof(*a->works), works_by_begin);
	lay_calls(a);
	lay_works(a);
	table_free(&r.known);
	table_free(&r.kernels);
	table_free(&r.meetings);
}

size_t activity_call_from(const struct activity *a, uint64_t ns)
{
	size_t low = 0, high = a->call_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (a->calls[middle].begin < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t activity_work_from(const struct activity *a, uint64_t ns)
{
	size_t low = 0, high = a->work_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (a->works[middle].begin < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#define RANGES_LOOKED_AT 256 /* back from the last that begins before: so deep they nest, with their neighbours */

const struct named_time *activity_around(const struct activity *a, uint64_t begin, uint64_t end)
{
	size_t low = 0, high = a->range_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (a->ranges[middle].begin <= begin)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = 0; i < RANGES_LOOKED_AT && i < low; i++)
		if (a->ranges[low - 1 - i].end >= end)
			return &a->ranges[low - 1 - i];
	return NULL;
}

void activity_free(struct activity *a)
{
	free(a->ranges);
	free(a->calls);
	free(a->works);
	segments_free(&a->host);
	segments_free(&a->device);
}
