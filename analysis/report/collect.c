/*
 * collect.c - what nearly every event is asked for is called by name here: steps, kernels, copies. What is only of some kinds
 * of events is the section's own: it is called for those.
 */
#include "analysis/report/collect.h"

#include <stdlib.h>

#include "analysis/report/collectives.h"
#include "analysis/report/copies.h"
#include "analysis/report/entry_points.h"
#include "analysis/report/failures.h"
#include "analysis/report/kernel_rows.h"
#include "analysis/report/gaps.h"
#include "analysis/report/graphs.h"
#include "analysis/report/lines.h"
#include "analysis/report/matrix_products.h"
#include "analysis/report/operator_shapes.h"
#include "analysis/report/section_takers.h"
#include "analysis/report/stacks.h"
#include "analysis/report/stage_rows.h"
#include "analysis/report/step_rows.h"
#include "analysis/report/time_sources.h"
#include "analysis/trace/collective_launches.h"
#include "analysis/trace/pending.h"

struct pass {
	struct report *report;
	struct process *process;
	const struct choice *asked;
	bool shown; /* the events that come now are part of it */
	struct step_rows steps, stages;
	bool has_stages;
	struct kernel_rows kernels;
	struct entry_points *entry_points;
	struct failed_calls *failures;
	struct copies *copies;
	struct gaps *gaps;
	struct collectives *collectives;
	struct launch_rows *shapes;
	struct matrix_products *products;
	struct graphs *graphs;
	struct time_sources *sources;
	struct stack_counts *stacks;
	struct lines *lines;
	struct pending early;		     /* device times that came before their events */
	struct collective_launches launched; /* by collectives */
	struct section_takers takers;
};

/* ---- device times ---- */

static void add_time(struct step_row *row, enum work work, const struct trace_device *dev)
{
	if (!row)
		return;
	row->by_device = true;
	row->timed |= work == WORK_COMPUTE;
	spans_add(&step_row_device(row)->spans[work], dev->begin_ns, dev->begin_ns + dev->duration_ns);
}

/* The stage of a row of s->stages; NULL: it is of none. */
static const struct stage *stage_of(const struct pass *s, const struct step_row *row)
{
	return row ? table_find(&s->process->defs.stages, row->stage) : NULL;
}

static bool is_asked(const struct pass *s, const struct trace_device *dev, const struct step_row *row)
{
	const struct step_row *stage = s->has_stages ? step_rows_find(&s->stages, dev->ring, dev->slot) : NULL;

	return choice_has_step(s->asked, row->step) && choice_has_stage(s->asked, stage_of(s, stage));
}

static void settle_device(void *context, const struct trace_device *dev)
{
	struct pass *s = context;
	struct step_row *row = step_rows_find(&s->steps, dev->ring, dev->slot);
	enum work work = work_of(dev->kind);

	if (work == WORK_OTHER)
		return;
	if (!row) {
		s->report->unplaced += s->steps.positions.forgotten > 0;
		return;
	}
	lines_time(s->lines, dev);
	add_time(row, work, dev);
	gaps_work(s->gaps, row->step, dev);
	if (s->has_stages)
		add_time(step_rows_find(&s->stages, dev->ring, dev->slot), work, dev);
	if (copies_have(dev->kind) && is_asked(s, dev, row))
		s->report->unplaced += !copies_time(s->copies, dev);
}

/* The event was there; its step and its direction are known by its place. */
static void add_device(struct pass *s, const struct trace_device *dev)
{
	if (dev->kind != EV_LAUNCH || !collective_launches_keeps(&s->launched, dev))
		settle_device(s, dev);
}

static void add_kernel_time(struct pass *s, const struct trace_device *dev)
{
	time_sources_take(s->sources, dev->source, dev->duration_ns);
	if (dev->kind == EV_COLLECTIVE)
		collectives_time(s->collectives, dev);
	if (dev->kind != EV_LAUNCH && dev->kind != EV_OPERATOR)
		return;
	kernel_rows_time(&s->kernels, dev);
	operator_shapes_time(s->shapes, dev);
	matrix_products_time(s->products, dev);
	graphs_time(s->graphs, dev);
}

static bool shows_all(const struct pass *s)
{
	return s->asked->steps.all && !s->asked->roles;
}

static void add_early(struct pass *s, const struct trace_event *ev)
{
	struct trace_device dev = {
		.process = s->process,
		.name = ev->name,
		.launch = ev->launch,
		.kind = ev->kind,
		.collective = ev->kind == EV_COLLECTIVE ? ev->definition : NULL,
		.hook = ev->hook,
		.ring = (uint16_t)ev->ring,
		.slot = (uint32_t)ev->slot,
	};
	struct pending_time early;

	if (!pending_take(&s->early, DEVICE_REF(ev->ring, ev->hook, ev->slot), &early))
		return;
	dev.stream = early.stream;
	dev.source = trace_time_source(s->process, early.stream);
	dev.begin_ns = early.begin_ns;
	dev.duration_ns = early.duration_ns;
	add_device(s, &dev);
	if (!shows_all(s) && s->shown)
		add_kernel_time(s, &dev);
}

static void wait_for_event(struct pass *s, const struct trace_device *dev)
{
	s->report->unplaced += pending_forget_many(&s->early);
	pending_put(&s->early, dev);
}

/* Is it of a step that was asked for? Of one that comes before its event that is not known yet. */
static bool device_shown(const struct pass *s, const struct trace_device *dev, bool passed)
{
	const struct step_row *row = passed ? step_rows_find(&s->steps, dev->ring, dev->slot) : NULL;

	return shows_all(s) || (row && is_asked(s, dev, row));
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct pass *s = context;
	bool passed = step_rows_passed(&s->steps, dev->ring, dev->slot);

	section_takers_device(&s->takers, dev);
	if (device_shown(s, dev, passed))
		add_kernel_time(s, dev);
	if (passed)
		add_device(s, dev);
	else
		wait_for_event(s, dev);
}

/* ---- events ---- */

static void take_step(void *context, uint32_t ring, uint64_t position, uint32_t epoch)
{
	struct pass *s = context;

	step_rows_enter(&s->steps, ring, position, epoch);
	if (s->has_stages)
		step_rows_enter(&s->stages, ring, position, epoch);
	s->shown = choice_has_place(s->asked, s->steps.step, table_find(&s->process->defs.places, epoch));
	section_takers_step(&s->takers, ring, position, epoch);
}

/* Before its device time, which may have been there first. */
static void count_stack(struct pass *s, const struct trace_event *ev)
{
	stack_counts_take(s->stacks, ev);
	lines_take(s->lines, ev);
}

static void count_unusual(struct pass *s, const struct trace_event *ev)
{
	s->report->nameless += ev->nameless;
	if (ev->has_stack && s->shown)
		count_stack(s, ev);
}

/* Did it what it was called for, and does nobody else tell of that? */
static bool did_work(struct pass *s, const struct trace_event *ev)
{
	if (ev->result)
		failures_take(&s->failures->taken, ev);
	if (ev->nested || ev->result)
		return false; /* the outer call tells the same story; what failed did no work */
	if (ev->captured)
		graphs_take(s->graphs, ev);
	return !ev->captured; /* nor did what a graph keeps */
}

static void count_launch(struct pass *s, const struct trace_event *ev)
{
	kernel_rows_take(&s->kernels, ev);
	if (ev->kind == EV_OPERATOR)
		matrix_products_take(s->products, ev);
	if (ev->launch && ev->launch->graph)
		graphs_take(s->graphs, ev);
	if (ev->launch && ev->launch->shapes)
		operator_shapes_take(s->shapes, ev);
}

static inline void count_work(struct pass *s, const struct trace_event *ev)
{
	if (ev->kind == EV_LAUNCH || ev->kind == EV_OPERATOR)
		count_launch(s, ev);
	else if (copies_have(ev->kind))
		copies_take(s->copies, ev);
	else if (ev->kind == EV_COLLECTIVE)
		collectives_take(s->collectives, ev);
}

static inline void take_event(struct pass *s, const struct trace_event *ev)
{
	if (copies_have(ev->kind))
		copies_place(s->copies, ev);
	else if (ev->kind == EV_LAUNCH || ev->kind == EV_COLLECTIVE)
		collective_launches_take(&s->launched, ev);
	if (s->takers.wanted & KIND_BIT(ev->kind))
		section_takers_event(&s->takers, ev, s->shown);
	if (ev->unusual)
		count_unusual(s, ev);
	if (s->early.count)
		add_early(s, ev);
	if (s->shown && (!ev->unusual || did_work(s, ev)))
		count_work(s, ev);
}

static void take_events(void *context, const struct trace_event *list, size_t count)
{
	struct pass *s = context;

	step_rows_take(&s->steps, list, count);
	gaps_calls(s->gaps, list, count);
	if (s->has_stages)
		step_rows_take(&s->stages, list, count);
	s->report->stepless += list->stepless ? count : 0;
	for (size_t i = 0; i < count; i++)
		take_event(s, &list[i]);
	if (s->shown)
		entry_points_take(s->entry_points, list, count);
}

/* ---- what is for sections alone ---- */

static void take_piece(void *context, const struct trace_piece *piece)
{
	section_takers_piece(&((struct pass *)context)->takers, piece);
}

static void take_lost(void *context, const struct trace_lost *lost)
{
	section_takers_lost(&((struct pass *)context)->takers, lost);
}

/* ---- the end ---- */

/* Those that were not asked for stand behind the others, in any order. */
static void leave_out_steps(struct report *r, const struct choice *asked)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->step_count; i++) {
		struct step_row row = r->steps[i];

		if (!choice_has_step(asked, row.step))
			continue;
		r->steps[i] = r->steps[kept];
		r->steps[kept++] = row;
	}
	r->steps_read = r->step_count;
	r->step_count = kept;
}

static void finish(struct pass *s)
{
	struct report *r = s->report;

	collective_launches_finish(&s->launched);
	r->crowded = s->launched.crowded;
	section_takers_end(r);
	r->kept = s->steps.events;
	r->steps = step_rows_finish(&s->steps, &r->step_count);
	leave_out_steps(r, s->asked);
	gaps_finish(s->gaps, r->steps, r->step_count);
	if (s->has_stages)
		r->stages = stage_rows_make(&s->stages, s->asked, &r->stage_count);
	r->kernels = kernel_rows_hand_over(&s->kernels, &r->kernel_count);
	pending_free(&s->early);
}

void collect_events(struct report *r, struct process *p, const struct choice *asked)
{
	struct pass s = {
		.report = r,
		.process = p,
		.asked = asked,
		.has_stages = p->defs.stages.count,
		.entry_points = r->sections[SECTION_entry_points],
		.failures = r->sections[SECTION_failures],
		.copies = r->sections[SECTION_copies],
		.gaps = r->sections[SECTION_device_gaps],
		.collectives = r->sections[SECTION_collectives],
		.shapes = r->sections[SECTION_operator_shapes],
		.products = r->sections[SECTION_matrix_products],
		.graphs = r->sections[SECTION_graphs],
		.sources = r->sections[SECTION_time_sources],
		.stacks = r->sections[SECTION_stacks],
		.lines = r->sections[SECTION_lines],
	};
	struct visitor v = {
		.events = take_events,
		.device = take_device,
		.piece = take_piece,
		.lost = take_lost,
		.step = take_step,
		.context = &s,
	};

	kernel_rows_begin(&s.kernels, p);
	step_rows_init(&s.steps, p, false);
	step_rows_init(&s.stages, p, true);
	collective_launches_init(&s.launched, p->defs.collectives.count > 0, settle_device, &s);
	gaps_begin(s.gaps, p, asked, &s.steps);
	section_takers_begin(&s.takers, r, p, &asked->steps);
	process_events(p, &v);
	finish(&s);
}

void collect_free(struct report *r)
{
	for (size_t i = 0; i < r->kernel_count; i++)
		free(r->kernels[i].name);
	kernel_rows_drop(r->kernels, r->kernel_count);
	free(r->steps);
	stage_rows_free(r->stages, r->stage_count);
}
