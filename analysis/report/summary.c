/* summary.c - one pass over the events of a process, summed up for the report. */
#include <stdlib.h>
#include <string.h>

#include "analysis/report/entry_points.h"
#include "analysis/trace/collective_launches.h"
#include "analysis/report/kernel_rows.h"
#include "analysis/util/alloc.h"
#include "analysis/report/memory.h"
#include "analysis/trace/pending.h"
#include "analysis/report/report.h"
#include "analysis/report/ranges.h"
#include "analysis/report/step_rows.h"

#define EARLY_MAX 262144
#define NO_COPY	  DIR_COUNT /* no direction counts it: it failed, or the outer call tells the same story */

struct summary {
	struct report *report;
	struct process *process;
	const struct selection *asked; /* steps */
	bool shown;		       /* the step of the events that come now is one of them */
	struct step_rows steps;
	struct table kernels; /* struct kernel_row by launch name and kind */
	struct table shaped;  /* struct kernel_row by launch */
	struct entry_points entry_points;
	struct failures failures;
	struct table rings; /* uint64_t launches by ring */
	struct memory_sums memory;
	struct range_rows ranges;
	struct position_map copies;		/* their direction, or NO_COPY: where device times belong */
	struct pending early;			/* device times that came before their events */
	struct collective_launches collectives; /* launches of collectives */
};

/* A launch without a name goes by the function that was called: its rows' keys count down from the greatest. */
static struct kernel_row *kernel(struct summary *s, const struct launch *launch, enum event_kind kind,
				 uint16_t hook, const char *name)
{
	uint64_t id = launch && launch->name ? launch->def.name : 0;
	struct kernel_row *row = table_put(&s->kernels, id ? id * (EV_KINDS + 1) + kind : UINT64_MAX - hook);

	if (!row->name) {
		name = id ? launch->name : name;
		row->name = alloc_text(name, strlen(name));
		row->kind = kind;
	}
	return row;
}

static void take_copy(struct summary *s, const struct trace_event *ev)
{
	struct copy_row *row = &s->report->copies[ev->direction];

	row->count++;
	row->bytes += ev->bytes;
	row->host_ns += ev->duration_ns;
}

static void take_piece(void *context, const struct trace_piece *piece)
{
	memory_sums_piece(&((struct summary *)context)->memory, piece);
}

static void take_step(void *context, uint32_t ring, uint64_t position, uint32_t epoch)
{
	struct summary *s = context;

	step_rows_enter(&s->steps, ring, position, epoch);
	s->shown = selection_has(s->asked, s->steps.step);
}

static void settle_device(void *context, const struct trace_device *dev)
{
	struct summary *s = context;
	struct step_row *row = step_rows_find(&s->steps, dev->ring, dev->slot);
	const struct mapped_position *copy = dev->kind == EV_COPY ? position_map_find(&s->copies, dev->ring, dev->slot) : NULL;
	enum work work = work_of(dev->kind);

	if (!row || work == WORK_OTHER)
		return;
	row->by_device = true;
	spans_add(&row->device.spans[work], dev->begin_ns, dev->begin_ns + dev->duration_ns);
	if (copy && copy->value != NO_COPY && selection_has(s->asked, row->step)) {
		s->report->copies[copy->value].timed++;
		s->report->copies[copy->value].device_ns += dev->duration_ns;
	}
}

/* The event was there; its step and its direction are known by its place. */
static void add_device(struct summary *s, const struct trace_device *dev)
{
	if (dev->kind != EV_LAUNCH || !collective_launches_keeps(&s->collectives, dev))
		settle_device(s, dev);
}

static void add_source(struct report *r, const char *source)
{
	size_t i = 0;

	while (source && i < r->source_count && strcmp(r->sources[i].name, source))
		i++;
	if (!source)
		return;
	if (i == r->source_count) {
		r->sources = alloc_grow(r->sources, ++r->source_count, sizeof(*r->sources));
		r->sources[i] = (struct count_row){ alloc_text(source, strlen(source)), 0 };
	}
	r->sources[i].count++;
}

static void add_kernel_time(struct summary *s, const struct launch *launch, enum event_kind kind,
			    uint16_t hook, const char *name, uint64_t ns, uint16_t stream)
{
	struct kernel_row *row;

	s->report->timed++;
	add_source(s->report, trace_time_source(s->process, stream));
	if (kind != EV_LAUNCH && kind != EV_OPERATOR)
		return;
	row = kernel(s, launch, kind, hook, name);
	row->device_ns += ns;
	row->timed++;
	shaped_add(&s->shaped, launch, kind, (struct kernel_row){ .device_ns = ns, .timed = 1 });
}

static void add_early(struct summary *s, const struct trace_event *ev)
{
	struct trace_device dev = { .kind = ev->kind, .ring = (uint16_t)ev->ring, .slot = (uint32_t)ev->slot };
	struct pending_time early;

	if (!pending_take(&s->early, DEVICE_REF(ev->ring, ev->hook, ev->slot), &early))
		return;
	dev.begin_ns = early.begin_ns;
	dev.duration_ns = early.duration_ns;
	add_device(s, &dev);
	if (!s->asked->all && s->shown)
		add_kernel_time(s, ev->launch, ev->kind, ev->hook, ev->name, early.duration_ns, early.stream);
}

static void count_launch(struct summary *s, struct kernel_row *row, const struct trace_event *ev)
{
	uint64_t number = (*(uint64_t *)table_put(&s->rings, ev->ring))++;

	if (ev->launch && ev->launch->name)
		period_take(&row->period, ev->ring, number);
}

static void count_event(struct summary *s, const struct trace_event *ev)
{
	struct kernel_row *row;

	entry_points_take(&s->entry_points, ev);
	if (ev->result)
		failures_take(&s->failures, ev);
	if (ev->nested || ev->result)
		return; /* the outer call tells the same story; what failed did no work */
	if (ev->kind == EV_LAUNCH || ev->kind == EV_OPERATOR) {
		row = kernel(s, ev->launch, ev->kind, ev->hook, ev->name);
		row->count++;
		row->host_ns += ev->duration_ns;
		if (ev->kind == EV_LAUNCH)
			count_launch(s, row, ev);
		if (ev->launch && ev->launch->shapes)
			shaped_add(&s->shaped, ev->launch, ev->kind, (struct kernel_row){ .host_ns = ev->duration_ns, .count = 1 });
	} else if (ev->kind == EV_COPY) {
		take_copy(s, ev);
	}
}

/* What only events of this kind tell. */
static inline void take_kind(struct summary *s, const struct trace_event *ev)
{
	switch (ev->kind) {
	case EV_COPY: position_map_put(&s->copies, ev->ring, ev->slot, ev->nested || ev->result ? NO_COPY : ev->direction); break;
	case EV_LAUNCH:
	case EV_COLLECTIVE: collective_launches_take(&s->collectives, ev); break;
	case EV_ALLOC:
	case EV_FREE:
	case EV_POOL_ALLOC:
	case EV_POOL_FREE:
		if (!ev->nested && !ev->result)
			memory_sums_take(&s->memory, ev); /* of all steps: what lives was allocated before */
		break;
	case EV_OPERATOR:
	case EV_PREPARE:
		if (s->shown)
			entry_points_take_function(&s->entry_points, ev);
		break;
	case EV_MARKER: range_rows_take(&s->ranges, ev); break;
	default: break;
	}
}

static void take_event(void *context, const struct trace_event *ev)
{
	struct summary *s = context;

	step_rows_take(&s->steps, ev);
	take_kind(s, ev);
	if (s->early.count)
		add_early(s, ev);
	if (s->shown)
		count_event(s, ev);
}

/* What waits for ever, as its event was lost, must not pile up. */
static void wait_for_event(struct summary *s, const struct trace_device *dev)
{
	if (s->early.count == EARLY_MAX)
		pending_free(&s->early);
	pending_put(&s->early, dev);
}

/* Is it of a step that was asked for? Of one that comes before its event that is not known yet. */
static bool device_shown(const struct summary *s, const struct trace_device *dev, bool passed)
{
	const struct step_row *row = passed ? step_rows_find(&s->steps, dev->ring, dev->slot) : NULL;

	return s->asked->all || (row && selection_has(s->asked, row->step));
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct summary *s = context;
	bool passed = step_rows_passed(&s->steps, dev->ring, dev->slot);

	if (device_shown(s, dev, passed))
		add_kernel_time(s, dev->launch, dev->kind, dev->hook, dev->name, dev->duration_ns, dev->stream);
	if (passed)
		add_device(s, dev);
	else
		wait_for_event(s, dev);
}

static void finish_periods(struct summary *s)
{
	for (size_t i = 0; i < s->kernels.count; i++) {
		struct period *period = &((struct kernel_row *)table_item(&s->kernels, i))->period;
		const uint64_t *launches = table_find(&s->rings, period->ring);

		if (period->times && launches)
			period->behind = *launches - period->last - 1;
	}
	table_free(&s->rings);
}

/* Those that were not asked for stand behind the others, in any order. */
static void leave_out_steps(struct report *r, const struct selection *asked)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->step_count; i++) {
		struct step_row row = r->steps[i];

		if (!selection_has(asked, row.step))
			continue;
		r->steps[i] = r->steps[kept];
		r->steps[kept++] = row;
	}
	r->steps_read = r->step_count;
	r->step_count = kept;
}

static void hand_over_failures(struct summary *s)
{
	struct report *r = s->report;

	r->failed = s->failures.total;
	r->failures = failures_hand_over(&s->failures, &r->failure_count);
	for (size_t i = 0; i < r->failure_count; i++)
		r->failures[i].name = alloc_text(r->failures[i].name, strlen(r->failures[i].name));
}

static void finish(struct summary *s)
{
	struct report *r = s->report;

	collective_launches_finish(&s->collectives);
	memory_sums_finish(&s->memory);
	range_rows_end(&s->ranges, r);
	r->entry_points = entry_points_hand_over(&s->entry_points, &s->process->defs, &r->entry_point_count);
	hand_over_failures(s);
	r->kept = s->steps.events;
	r->steps = step_rows_finish(&s->steps, &r->step_count);
	leave_out_steps(r, s->asked);
	finish_periods(s);
	r->kernels = table_hand_over(&s->kernels, &r->kernel_count, kernel_rows_order);
	r->shaped = table_hand_over(&s->shaped, &r->shaped_count, kernel_rows_order);
	pending_free(&s->early);
	position_map_free(&s->copies);
}

void report_collect(struct report *r, struct process *p, const struct selection *asked)
{
	struct summary s = {
		.report = r,
		.process = p,
		.asked = asked,
		.kernels = TABLE(struct kernel_row),
		.shaped = TABLE(struct kernel_row),
		.rings = TABLE(uint64_t),
		.copies = POSITION_MAP(0),
	};
	struct visitor v = {
		.event = take_event,
		.device = take_device,
		.piece = take_piece,
		.step = take_step,
		.context = &s,
	};

	step_rows_init(&s.steps, p);
	range_rows_begin(&s.ranges, asked);
	collective_launches_init(&s.collectives, p->defs.collectives.count > 0, settle_device, &s);
	entry_points_init(&s.entry_points);
	failures_init(&s.failures);
	memory_sums_init(&s.memory, r, p);
	process_events(p, &v);
	finish(&s);
}
