/* ascend.c - what is alike in all formats of Ascend's: see ascend.h. */
#include "analysis/export/ascend/ascend.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/export/ascend/memory.h"
#include "analysis/export/ascend/told.h"
#include "analysis/export/ascend/words.h"
#include "analysis/trace/live_memory.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"
#include "config/contents.h"

void ascend_open(struct ascend *a)
{
	if (a->opened)
		return;
	a->opened = true;
	folder_open(a);
	told_folder(a->told, a);
	a->format->open(a);
}

uint32_t ascend_device_number(const struct process *p, uint64_t id)
{
	const struct device *device = table_find(&p->defs.devices, id);
	const char *name = device && device->name ? device->name : "";
	size_t length = strlen(name);

	while (length && name[length - 1] >= '0' && name[length - 1] <= '9')
		length--;
	return (uint32_t)strtoul(name + length, NULL, 10);
}

uint32_t ascend_device(const struct ascend *a, uint16_t stream)
{
	const struct def_stream *s = table_find(&a->process->defs.streams, stream);

	return s ? ascend_device_number(a->process, s->device) : a->device;
}

const char *ascend_task_name(const struct ascend_task *task)
{
	const struct trace_device *dev = task->device;

	if (dev->kind == EV_COPY)
		return "MEMCPY_ASYNC";
	return dev->launch && dev->launch->shown ? dev->launch->shown : dev->name;
}

const char *ascend_task_type(const struct ascend_task *task)
{
	return words_operator_type(task->operator_, ascend_task_name(task));
}

/* ---- in the order of the files ---- */

void ascend_take_step(void *context, uint32_t ring, uint64_t position, uint32_t epoch)
{
	struct export *e = context;
	struct ascend *a = e->own;
	const struct def_epoch *def = table_find(&a->process->defs.epochs, epoch);
	uint64_t begin = def && def->begin ? process_time(a->process, def->begin) : 0;
	uint64_t end = def && def->end ? process_time(a->process, def->end) : 0;

	device_steps_take(&a->device_steps, e, ring, position, epoch);
	if (!table_find(&a->first_slots, ring & UINT16_MAX))
		*(uint64_t *)table_put(&a->first_slots, ring & UINT16_MAX) = position;
	a->epoch_begin = begin;
	a->epoch_end = end;
	a->epoch_new = true;
}

static bool computes(enum event_kind kind)
{
	return kind == EV_LAUNCH || kind == EV_OPERATOR;
}

static void widen(struct ascend *a, uint64_t begin, uint64_t end)
{
	if (!a->first_ns || begin < a->first_ns)
		a->first_ns = begin;
	if (end > a->last_ns)
		a->last_ns = end;
}

void ascend_take_event(void *context, const struct trace_event *ev)
{
	struct export *e = context;
	struct ascend *a = e->own;
	uint64_t end = ev->begin_ns + ev->duration_ns;

	device_steps_pass(&a->device_steps, ev);
	if (memory_event_is(ev))
		memories_take(a->memories, ev);
	if (a->wants_times && ascend_call_works(ev))
		parents_take(&a->parents, ev);
	if (!choice_has_place(e->choice, ev->step, ev->place))
		return;
	if (a->epoch_new) {
		widen(a, a->epoch_begin ? a->epoch_begin : ev->begin_ns, a->epoch_end);
		ascend_steps_recorded(&a->steps, ev->step);
		a->epoch_new = false;
	}
	if (a->steps.calling && computes(ev->kind) && !ev->result && !ev->captured)
		a->steps.calling->computes = true;
	if (!a->epoch_end && end > a->last_ns)
		a->last_ns = end;
	if (ev->kind == EV_MARKER && export_wants_kind(e, EV_MARKER))
		ranges_take(&a->ranges, ev);
}

void ascend_take_piece(void *context, const struct trace_piece *piece)
{
	struct ascend *a = ((struct export *)context)->own;

	memories_take_piece(a->memories, piece);
}

void ascend_take_device(void *context, const struct trace_device *dev)
{
	struct ascend *a = ((struct export *)context)->own;

	sorter_push(&a->tasks, dev->begin_ns, UINT64_MAX - dev->duration_ns, dev);
}

/* ---- bars ---- */

static void put_bar(void *context, enum overlap_bar bar, uint64_t begin, uint64_t end)
{
	struct ascend *a = context;

	if (a->steps.now)
		a->steps.now->bars[bar] += end - begin;
	a->format->bar(a, bar, begin, end);
}

static void leave_stretch(struct ascend *a, uint64_t end)
{
	overlap_cut(&a->overlap, end, false);
	a->steps.now = NULL;
	a->in_stretch = false;
}

/* No bar crosses the begin or end of a step. */
static void go_to(struct ascend *a, uint64_t ns)
{
	struct ascend_steps *s = &a->steps;

	for (; s->next < s->stretch_count && s->stretches[s->next].begin <= ns; s->next++) {
		const struct ascend_stretch *stretch = &s->stretches[s->next];

		if (a->in_stretch)
			leave_stretch(a, s->stretches[s->next - 1].end);
		if (stretch->end <= a->first_ns || stretch->begin >= a->last_ns)
			continue;
		overlap_cut(&a->overlap, stretch->begin, true);
		s->now = stretch->step == UINT64_MAX ? NULL : &s->list[stretch->step];
		a->in_stretch = true;
	}
	if (a->in_stretch && s->stretches[s->next - 1].end <= ns)
		leave_stretch(a, s->stretches[s->next - 1].end);
}

/* A step goes on behind the last stage or batch that has calls. */
static void end_bars(struct ascend *a)
{
	const struct ascend_stretch *last = ascend_steps_stretch(&a->steps, a->last_ns - 1);
	uint64_t end = last && last->end != UINT64_MAX ? last->end : a->last_ns;

	if (!a->device_times)
		return;
	for (enum overlap_bar bar = 0; bar < BAR_NOT_OVERLAPPED; bar++)
		if (a->overlap.until[bar] > end)
			end = a->overlap.until[bar];
	go_to(a, end);
	overlap_cut(&a->overlap, end, false);
}

/* ---- work of the device ---- */

static enum ascend_work work_of(const struct trace_device *dev, const struct parent *parent)
{
	switch (dev->kind) {
	case EV_LAUNCH: return parent && parent->collective ? ASCEND_COLLECTIVE_TASK : ASCEND_KERNEL;
	case EV_COLLECTIVE: return ASCEND_COLLECTIVE;
	case EV_COPY:
	case EV_FILL:
	case EV_MAP: return ASCEND_COPY;
	case EV_MARKER: return ASCEND_RANGE;
	default: return ASCEND_WORKS;
	}
}

/* Of an event of an earlier window, or one that is lost. */
static bool is_foreign(const struct ascend *a, const struct trace_device *dev)
{
	const uint64_t *first = table_find(&a->first_slots, dev->ring);

	return !first || (int32_t)(dev->slot - (uint32_t)*first) < 0;
}

static void count_task(struct ascend *a, struct ascend_task *task)
{
	uint64_t begin = task->device->begin_ns, end = begin + task->device->duration_ns;
	const struct ascend_stretch *stretch = ascend_steps_stretch(&a->steps, begin);
	struct ascend_step *step;

	a->device_times = true;
	if (stretch && stretch->end == UINT64_MAX && end > a->last_ns)
		a->last_ns = end;
	go_to(a, begin);
	step = ascend_steps_at(&a->steps, begin);
	task->step = step;
	if (step && !step->first_work)
		step->first_work = begin;
	if (step && task->work == ASCEND_COLLECTIVE && words_receives(task->device->name))
		step->receiving += end - begin;
	if (task->work == ASCEND_KERNEL)
		overlap_add(&a->overlap, BAR_COMPUTING, begin, end);
	else if (task->work == ASCEND_COLLECTIVE)
		overlap_add(&a->overlap, BAR_COMMUNICATION, begin, end);
}

static void put_task(void *context, const void *item)
{
	struct ascend *a = context;
	const struct trace_device *dev = item;
	uint64_t id = ascend_id(dev->ring, dev->slot);
	const struct parent *parent = parents_find(&a->parents, id);
	struct ascend_task task = {
		.work = work_of(dev, parent),
		.device = dev,
		.id = id,
		.parent = parent,
		.operator_ = parent && parent->around && !parent->collective ? parent->definition : NULL,
	};
	int64_t step = is_foreign(a, dev) ? STEP_LEFT_OUT : device_steps_of(&a->device_steps, a->export, dev);

	if (step == STEP_LEFT_OUT)
		return;
	if (computes(dev->kind))
		ascend_steps_timed(&a->steps, step);
	if (task.work == ASCEND_WORKS)
		return;
	ascend_open(a);
	if (task.work != ASCEND_RANGE)
		count_task(a, &task);
	a->format->task(a, &task);
}

/* ---- calls, in order of time ---- */

void ascend_event(struct export *e, const struct trace_event *ev)
{
	struct ascend *a = e->own;

	ascend_open(a);
	if (ev->kind != EV_MARKER)
		a->format->call(a, ev);
	else if (range_role(ev) == RANGE_NONE && ev->definition && !ev->nested && !ev->result) /* else a domain was made */
		a->format->mark(a, ev);
}

static void put_range(void *context, const struct range *range)
{
	struct ascend *a = context;

	ascend_open(a);
	a->format->range(a, range);
}

/* Its launches were left out, as device_every says. */
static bool is_left_out(const struct ascend *a, const struct ascend_step *step)
{
	return a->is_sampled && step->computes && !step->timed;
}

bool ascend_has_times(const struct ascend *a, const struct ascend_step *step)
{
	return a->device_times && !is_left_out(a, step);
}

static void tell_left_out(const struct ascend *a)
{
	for (size_t i = 0; a->device_times && i < a->steps.count; i++)
		if (a->steps.list[i].seen && is_left_out(a, &a->steps.list[i]))
			told_untimed(a->told, a);
}

/* ---- a process, and all of them ---- */

void ascend_process(struct export *e, struct process *p)
{
	struct ascend *a = e->own;

	a->process = p;
	folder_next(a);
	a->events_before = e->events;
	a->opened = a->device_times = a->in_stretch = a->epoch_new = false;
	a->first_ns = a->last_ns = 0;
	a->device = p->defs.devices.count ? ascend_device_number(p, p->defs.devices.keys[0]) : 0;
	a->level = level_of_word(process_fact(p, "level"));
	a->is_sampled = strtoull(process_fact(p, "device_every"), NULL, 10) > 1;
	a->wants_times = contents_of(process_fact(p, "contents")) & CONTENT_DEVICE;
	a->first_slots = TABLE(uint64_t);
	a->ranges = RANGES(put_range, a);
	a->overlap = (struct overlap){ .bar = put_bar, .context = a };
	a->memories = memories_new(a);
	device_steps_begin(&a->device_steps, p);
	ascend_steps_begin(&a->steps, p, e->choice);
	parents_init(&a->parents);
}

void ascend_process_end(struct export *e, struct process *p)
{
	struct ascend *a = e->own;

	(void)p;
	if (e->events > a->events_before)
		ascend_open(a);
	ranges_finish(&a->ranges);
	sorter_flush(&a->tasks);
	end_bars(a);
	memories_free(a->memories);
	ascend_steps_limit(&a->steps, a->first_ns, a->last_ns);
	if (a->opened) {
		tell_left_out(a);
		a->format->close(a);
	}
	folder_close(a);
	device_steps_end(&a->device_steps, e);
	ascend_steps_free(&a->steps);
	parents_clear(&a->parents);
	table_free(&a->first_slots);
}

void ascend_begin(struct export *e, const struct ascend_format *format)
{
	struct ascend *a = e->own = alloc_zero(1, sizeof(*a));

	a->format = format;
	a->export = e;
	a->told = told_new(e->trace->count);
	sorter_init(&a->tasks, sizeof(struct trace_device), SORTER_WINDOW, put_task, a);
}

void ascend_end(struct export *e)
{
	struct ascend *a = e->own;

	if (destination_is_well(e->to))
		told_say(a->told, !strcmp(a->format->kind, "text"));
	sorter_free(&a->tasks);
	told_free(a->told);
	free(a);
}
