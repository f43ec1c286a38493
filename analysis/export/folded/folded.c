/*
 * folded.c - who asked for how much, as folded stacks: outer;inner;call N, a line for each stack and call of a process. flamegraph.pl,
 * speedscope and others draw them; lines alike add up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/exporter.h"
#include "analysis/trace/call_stack.h"
#include "analysis/trace/collective_launches.h"
#include "analysis/trace/device_join.h"
#include "analysis/trace/own_times.h"
#include "analysis/trace/pending.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"

/* Calls of one name and stack. */
struct fold {
	struct trace_event call; /* one of them */
	const char *name;
	uint64_t sum;
};

struct folded {
	struct export *of;
	struct table folds; /* struct fold by what is the same */
	struct own_times own;
	bool timed;		     /* device times are what is counted, */
	struct pending calls, times; /* where one waits for the other */
	struct table passed;	     /* uint64_t by ring (16 bits): behind the last event that was read */
	struct collective_launches launched;
};

/* ---- what calls come to ---- */

static uint64_t key_of(const struct trace_event *ev, const char *name)
{
	const uint64_t same[] = { (uintptr_t)ev->stack, (uintptr_t)ev->native, (uintptr_t)name, ev->stack_of | (uint64_t)ev->stack_lost << 8 };

	return table_text_key((const char *)same, sizeof(same));
}

static struct fold *fold_of(struct folded *f, const struct trace_event *ev, uint64_t *key)
{
	const char *name = ev->launch && ev->launch->shown ? ev->launch->shown : ev->name;
	struct fold *fold;

	*key = key_of(ev, name);
	fold = table_put(&f->folds, *key);
	if (!fold->name) {
		fold->call = *ev;
		fold->name = name;
	}
	return fold;
}

static bool is_wanted(const struct export *e, const struct trace_event *ev)
{
	return ev->has_stack && !ev->nested && choice_has_place(e->choice, ev->step, ev->place) && choice_has_device_of(e->choice, ev) &&
	       export_wants_kind(e, ev->kind);
}

/* As in steps: what an operator gives to the device its launches have given. */
static bool is_work(enum event_kind kind)
{
	return kind == EV_LAUNCH || kind == EV_COLLECTIVE || kind == EV_COPY || kind == EV_FILL || kind == EV_MAP;
}

/* The call of this device time was read. */
static void settle(void *context, const struct trace_device *dev)
{
	struct folded *f = context;
	struct pending_time call;

	if (pending_take(&f->calls, DEVICE_REF(dev->ring, dev->hook, dev->slot), &call))
		((struct fold *)table_find(&f->folds, call.begin_ns))->sum += dev->duration_ns;
}

static void add_device(struct folded *f, const struct trace_device *dev)
{
	if (dev->kind != EV_LAUNCH || !collective_launches_keeps(&f->launched, dev))
		settle(f, dev);
}

/* One that came before its event. */
static void add_early(struct folded *f, const struct trace_event *ev)
{
	struct trace_device dev = { .process = ev->process, .kind = ev->kind, .hook = ev->hook, .ring = (uint16_t)ev->ring, .slot = (uint32_t)ev->slot };
	struct pending_time early;

	if (!pending_take(&f->times, DEVICE_REF(ev->ring, ev->hook, ev->slot), &early))
		return;
	dev.begin_ns = early.begin_ns;
	dev.duration_ns = early.duration_ns;
	add_device(f, &dev);
}

static void await_device(struct folded *f, const struct trace_event *ev, uint64_t key)
{
	struct pending_time call = { .event = DEVICE_REF(ev->ring, ev->hook, ev->slot), .begin_ns = key };

	pending_forget_many(&f->calls);
	pending_put_time(&f->calls, &call);
}

static void count(struct folded *f, const struct trace_event *ev)
{
	uint64_t key;
	struct fold *fold = fold_of(f, ev, &key);

	if (f->of->by == BY_HOST)
		fold->sum += own_times_take(&f->own, ev);
	else if (f->of->by == BY_COUNT)
		fold->sum++;
	else if (f->timed && is_work(ev->kind))
		await_device(f, ev, key);
}

static void take_event(void *context, const struct trace_event *ev)
{
	struct folded *f = ((struct export *)context)->own;

	if (f->timed) {
		*(uint64_t *)table_put(&f->passed, (uint16_t)ev->ring) = ev->slot + 1;
		if (ev->kind == EV_LAUNCH || ev->kind == EV_COLLECTIVE)
			collective_launches_take(&f->launched, ev);
	}
	if (is_wanted(f->of, ev))
		count(f, ev);
	if (f->times.count)
		add_early(f, ev);
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct folded *f = ((struct export *)context)->own;
	const uint64_t *end;

	if (!f->timed || !is_work(dev->kind))
		return;
	end = table_find(&f->passed, dev->ring);
	if (end && (int32_t)(dev->slot - (uint32_t)*end) < 0) {
		add_device(f, dev);
		return;
	}
	pending_forget_many(&f->times);
	pending_put(&f->times, dev);
}

/* ---- lines ---- */

/* A semicolon ends a frame, and the end of a line a stack. */
static void put_frame(struct out *o, const char *text)
{
	char clean[CALL_FRAME_ROOM];

	snprintf(clean, sizeof(clean), "%s", text);
	for (char *at = clean; (at = strpbrk(at, ";\n\r")); at++)
		*at = *at == ';' ? ',' : ' ';
	out_utf8(o, clean);
}

/* Without frames, why: [in_queue] */
static void put_frames(struct out *o, const struct trace_event *ev)
{
	struct call_frame frames[CALL_STACK_MAX];
	char text[CALL_FRAME_ROOM];
	size_t n = call_stack(ev, frames);

	if (!n) {
		out_char(o, '[');
		out_text(o, ev->stack_lost ? "lost" : stack_of_words[ev->stack_of]);
		out_text(o, "];");
	}
	while (n--) {
		call_frame_text(text, &frames[n]);
		put_frame(o, text);
		out_char(o, ';');
	}
}

static void put_fold(struct out *o, const struct fold *fold)
{
	put_frames(o, &fold->call);
	put_frame(o, fold->name);
	out_char(o, ' ');
	out_u64(o, fold->sum);
	out_char(o, '\n');
}

static void begin_process(struct export *e, struct process *p)
{
	struct folded *f = e->own;

	f->folds = TABLE(struct fold);
	f->own = OWN_TIMES;
	f->passed = TABLE(uint64_t);
	f->timed = e->by == BY_DEVICE && device_join_may(p);
	collective_launches_init(&f->launched, f->timed && p->defs.collectives.count > 0, settle, f);
}

static void end_process(struct export *e, struct process *p)
{
	struct folded *f = e->own;

	(void)p;
	collective_launches_finish(&f->launched);
	e->any |= f->folds.count > 0;
	for (size_t i = 0; i < f->folds.count; i++) {
		const struct fold *fold = table_item(&f->folds, i);

		if (fold->sum)
			put_fold(e->out, fold);
	}
	table_free(&f->folds);
	table_free(&f->passed);
	own_times_free(&f->own);
	pending_free(&f->calls);
	pending_free(&f->times);
}

static void begin(struct export *e)
{
	struct folded *f = e->own = alloc_zero(1, sizeof(*f));

	f->of = e;
}

static void end(struct export *e)
{
	free(e->own);
}

const struct exporter folded_exporter = {
	.apart = true,
	.without = "no call of these was recorded with who asked for it: add stack or module to --contents",
	.has_by = true,
	.may_be_packed = true,
	.begin = begin,
	.process = begin_process,
	.visitor = { .event = take_event, .device = take_device },
	.process_end = end_process,
	.end = end,
};
