#include "analysis/trace/operator_times.h"

#include <stdlib.h>

#include "analysis/trace/device_join.h"
#include "analysis/util/alloc.h"

#define RECENT_MAX    4096  /* calls in one operator: a power of two. One that gives the device more keeps its own time */
#define OPERATORS_MAX 16384 /* of a ring, that wait for times: a power of two */

/* A call that gave the device something, after the last operator of its ring. */
struct given {
	uint64_t begin_ns;
	uint32_t slot;
	uint16_t hook;
	bool is_launch;
};

/* An operator that gave the device something: its event stands behind those of what it gave. */
struct operated {
	uint64_t begin_ns, end_ns; /* on the device, as far as is known */
	uint32_t first, slot;	   /* of the first thing that it gave, and its own */
	uint32_t untimed;	   /* of what it gave */
	uint32_t own;		   /* place in `kept`, + 1; 0: its own time is not known yet */
	bool settled;
};

struct operator_ring {
	uint64_t recent_first, recent_last; /* these and the next two count up for ever */
	uint64_t first, last;
	size_t recent_size, size; /* powers of two */
	struct given *recent;
	struct operated *list;
	uint64_t last_begin_ns; /* of the last operator; 0: there was none */
	uint64_t whole_from_ns; /* what began by then may have given what is not in the trace */
	uint32_t newest;	/* slot of the last event */
	bool begun;
	bool gap; /* something is missing before the next event */
};

/* Slots are the low halves of what counts up for ever. */
static bool is_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static struct given *given_at(const struct operator_ring *r, uint64_t number)
{
	return &r->recent[number & (r->recent_size - 1)];
}

static struct operated *operated_at(const struct operator_ring *r, uint64_t number)
{
	return &r->list[number & (r->size - 1)];
}

static bool has_hook_of_operators(const struct defs *d)
{
	for (size_t i = 0; i < d->hooks.count; i++)
		if (((const struct hook_name *)table_item(&d->hooks, i))->kind == EV_OPERATOR)
			return true;
	return false;
}

void operator_times_begin(struct operator_times *o, const struct process *p, void (*settle)(void *context, const struct trace_device *dev),
			  void *context)
{
	*o = (struct operator_times){
		.wanted = settle && device_join_may(p) && has_hook_of_operators(&p->defs),
		.settle = settle,
		.context = context,
		.rings = TABLE(struct operator_ring),
	};
}

/* ---- the operators' own times ---- */

static uint32_t keep(struct operator_times *o, const struct trace_device *dev)
{
	uint32_t place = o->free;

	if (place) {
		o->free = o->kept[place - 1].slot;
	} else {
		if (o->count == o->capacity) {
			o->capacity = o->capacity ? 2 * o->capacity : 64;
			o->kept = alloc_grow(o->kept, o->capacity, sizeof(*o->kept));
		}
		place = ++o->count;
	}
	o->kept[place - 1] = *dev;
	return place;
}

static void let_go(struct operator_times *o, uint32_t place)
{
	const struct trace_device dev = o->kept[place - 1];

	o->kept[place - 1].slot = o->free;
	o->free = place;
	o->settle(o->context, &dev);
}

static void settle(struct operator_times *o, struct operated *op)
{
	struct trace_device *dev = &o->kept[op->own - 1];

	if (!op->untimed) {
		dev->begin_ns = op->begin_ns;
		dev->duration_ns = op->end_ns - op->begin_ns;
	}
	op->settled = true;
	let_go(o, op->own);
}

static void settle_due(struct operator_times *o, struct operated *op)
{
	if (op->own && !op->untimed)
		settle(o, op);
}

/* ---- what they gave ---- */

static void add_time(struct operated *op, uint64_t begin_ns, uint64_t duration_ns)
{
	uint64_t end_ns = begin_ns + duration_ns;

	op->begin_ns = op->end_ns && op->begin_ns < begin_ns ? op->begin_ns : begin_ns;
	op->end_ns = op->end_ns > end_ns ? op->end_ns : end_ns;
	op->untimed--;
}

static void forget_first(struct operator_times *o, struct operator_ring *r, uint32_t ring)
{
	const struct given *g = given_at(r, r->recent_first++);
	struct pending_time time;

	pending_take(&o->early, DEVICE_REF(ring, g->hook, g->slot), &time);
}

static void take_given(struct operator_times *o, struct operator_ring *r, const struct trace_event *ev)
{
	if (r->recent_last - r->recent_first == RECENT_MAX)
		forget_first(o, r, ev->ring);
	else if (r->recent_last - r->recent_first == r->recent_size)
		r->recent = alloc_grow_queue(r->recent, r->recent_first, r->recent_last, &r->recent_size, sizeof(*r->recent));
	*given_at(r, r->recent_last++) = (struct given){ .begin_ns = ev->begin_ns, .slot = (uint32_t)ev->slot, .hook = ev->hook, .is_launch = ev->kind == EV_LAUNCH };
}

/* ---- operators ---- */

static void drop_first(struct operator_times *o, struct operator_ring *r)
{
	struct operated *op = operated_at(r, r->first++);

	if (op->own && !op->settled)
		settle(o, op);
}

static struct operated *add_operator(struct operator_times *o, struct operator_ring *r, const struct trace_event *ev)
{
	struct operated *op;

	while (r->first != r->last && (operated_at(r, r->first)->settled || r->last - r->first == OPERATORS_MAX))
		drop_first(o, r);
	if (r->last - r->first == r->size)
		r->list = alloc_grow_queue(r->list, r->first, r->last, &r->size, sizeof(*r->list));
	op = operated_at(r, r->last++);
	*op = (struct operated){ .first = (uint32_t)ev->slot, .slot = (uint32_t)ev->slot };
	return op;
}

/* It was there before its event. 0: it was not. */
static uint32_t take_early_own(struct operator_times *o, const struct trace_event *ev)
{
	struct pending_time early;

	return pending_take(&o->owns, DEVICE_REF(ev->ring, ev->hook, ev->slot), &early) ? (uint32_t)early.duration_ns : 0;
}

static void take_all_given(struct operator_times *o, struct operator_ring *r, struct operated *op, uint32_t ring)
{
	op->first = given_at(r, r->recent_first)->slot;
	op->untimed = (uint32_t)(r->recent_last - r->recent_first);
	while (r->recent_first != r->recent_last) {
		const struct given *g = given_at(r, r->recent_first++);
		struct pending_time time;

		if (pending_take(&o->early, DEVICE_REF(ring, g->hook, g->slot), &time))
			add_time(op, time.begin_ns, time.duration_ns);
	}
}

/* Its kernels may be launched by a way that is not seen, where only copies are. */
static bool some_launch(const struct operator_ring *r)
{
	for (uint64_t i = r->recent_first; i != r->recent_last; i++)
		if (given_at(r, i)->is_launch)
			return true;
	return false;
}

/* May it have given more than is known? Another operator may have taken it, it is forgotten, or not in the trace. */
static bool may_have_more(struct operator_ring *r, const struct trace_event *ev)
{
	bool more = r->last_begin_ns >= ev->begin_ns || r->whole_from_ns >= ev->begin_ns;

	more |= r->recent_last - r->recent_first == RECENT_MAX && given_at(r, r->recent_first)->begin_ns >= ev->begin_ns;
	r->last_begin_ns = ev->begin_ns;
	return more;
}

/* What began with it or after it is its own. */
static void take_operator(struct operator_times *o, struct operator_ring *r, const struct trace_event *ev)
{
	bool more = may_have_more(r, ev);
	uint32_t own = take_early_own(o, ev);
	struct operated *op;

	while (r->recent_first != r->recent_last && (more || given_at(r, r->recent_first)->begin_ns < ev->begin_ns))
		forget_first(o, r, ev->ring);
	if (!some_launch(r)) {
		while (r->recent_first != r->recent_last)
			forget_first(o, r, ev->ring);
		if (own)
			let_go(o, own);
		return;
	}
	op = add_operator(o, r, ev);
	take_all_given(o, r, op, ev->ring);
	op->own = own;
	settle_due(o, op);
}

static bool is_given(enum event_kind kind)
{
	return kind == EV_LAUNCH || kind == EV_COPY || kind == EV_FILL || kind == EV_COLLECTIVE;
}

/* Does it have a time on the device? */
static bool has_given(const struct trace_event *ev)
{
	return (ev->kind == EV_LAUNCH || (is_given(ev->kind) && ev->stream)) && !ev->result && !ev->captured;
}

void operator_times_calls(struct operator_times *o, const struct trace_event *list, size_t count)
{
	struct operator_ring *r = count ? table_put(&o->rings, (uint16_t)list->ring) : NULL;

	if (r && r->gap)
		r->whole_from_ns = list->begin_ns;
	for (size_t i = 0; i < count; i++) {
		const struct trace_event *ev = &list[i];

		r->newest = (uint32_t)ev->slot;
		if (ev->nested)
			continue;
		if (ev->kind == EV_OPERATOR)
			take_operator(o, r, ev);
		else if (has_given(ev))
			take_given(o, r, ev);
	}
	if (!r)
		return;
	r->begun = true;
	r->gap = false;
}

void operator_times_gap(struct operator_times *o, uint32_t ring)
{
	if (o->wanted)
		((struct operator_ring *)table_put(&o->rings, (uint16_t)ring))->gap = true;
}

/* ---- device times ---- */

/* The first one that does not stand before the slot; NULL: none is known. */
static struct operated *find_from(const struct operator_ring *r, uint32_t slot)
{
	uint64_t from = r->first, to = r->last;

	while (from < to) {
		uint64_t middle = from + (to - from) / 2;

		if (is_before(operated_at(r, middle)->slot, slot))
			from = middle + 1;
		else
			to = middle;
	}
	return from < r->last ? operated_at(r, from) : NULL;
}

/* Those whose events never come, too. */
static void let_go_early(struct operator_times *o)
{
	for (size_t i = 0; i < o->owns.size; i++)
		if (o->owns.list[i].used)
			let_go(o, (uint32_t)o->owns.list[i].duration_ns);
	pending_free(&o->owns);
}

static void wait_for_event(struct operator_times *o, const struct trace_device *dev)
{
	if (o->owns.count >= PENDING_MANY)
		let_go_early(o);
	pending_put_time(&o->owns, &(struct pending_time){ .event = DEVICE_REF(dev->ring, dev->hook, dev->slot), .duration_ns = keep(o, dev) });
}

static void take_own(struct operator_times *o, const struct operator_ring *r, bool passed, const struct trace_device *dev)
{
	struct operated *op = passed ? find_from(r, dev->slot) : NULL;

	if (!passed) {
		wait_for_event(o, dev);
	} else if (!op || op->slot != dev->slot || op->own) {
		o->settle(o->context, dev);
	} else {
		op->own = keep(o, dev);
		settle_due(o, op);
	}
}

static void take_time(struct operator_times *o, const struct operator_ring *r, bool passed, const struct trace_device *dev)
{
	struct operated *op = passed ? find_from(r, dev->slot) : NULL;

	if (op && !is_before(dev->slot, op->first)) {
		if (op->untimed)
			add_time(op, dev->begin_ns, dev->duration_ns);
		if (!op->settled)
			settle_due(o, op);
	} else if (!passed || (r->recent_first != r->recent_last && !is_before(dev->slot, given_at(r, r->recent_first)->slot))) {
		pending_forget_many(&o->early);
		pending_put(&o->early, dev);
	}
}

void operator_times_device(struct operator_times *o, const struct trace_device *dev)
{
	const struct operator_ring *r = table_find(&o->rings, dev->ring);
	bool passed = r && r->begun && !is_before(r->newest, dev->slot);

	if (dev->kind == EV_OPERATOR) {
		take_own(o, r, passed, dev);
		return;
	}
	o->settle(o->context, dev);
	if (is_given(dev->kind))
		take_time(o, r, passed, dev);
}

void operator_times_end(struct operator_times *o)
{
	for (size_t i = 0; i < o->rings.count; i++) {
		struct operator_ring *r = table_item(&o->rings, i);

		while (r->first != r->last)
			drop_first(o, r);
		free(r->recent);
		free(r->list);
	}
	let_go_early(o);
	table_free(&o->rings);
	pending_free(&o->early);
	free(o->kept);
	*o = (struct operator_times){ 0 };
}
