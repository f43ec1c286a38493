/* summary.c - one pass over the events of a process, summed up for the report. */
#include <stdlib.h>
#include <string.h>

#include "analysis/join.h"
#include "analysis/memory.h"
#include "analysis/report.h"

struct summary {
	struct report *report;
	struct process *process;
	struct table steps;   /* struct step_row by step */
	size_t summed;	      /* so many of them, the first ones */
	struct table kernels; /* struct kernel_row by launch name and kind */
	struct table hooks;   /* uint64_t count by hook number */
	struct table live;    /* uint64_t bytes + 1 by address */
	struct sorter memory; /* struct memory_event by time */
};

enum work work_of(enum event_kind kind)
{
	if (kind == EV_LAUNCH)
		return WORK_COMPUTE;
	return kind == EV_COPY || kind == EV_FILL || kind == EV_MAP ? WORK_COPY : WORK_OTHER;
}

/* Widens the row by the epoch. */
static void add_epoch(struct summary *s, struct step_row *row, const struct trace_event *ev)
{
	const struct def_epoch *def = table_find(&s->process->defs.epochs, ev->epoch);
	uint64_t begin = def && def->begin ? process_time(s->process, def->begin) : ev->begin_ns;
	uint64_t end = def && def->end ? process_time(s->process, def->end) : 0;

	if (!row->events || begin < row->begin)
		row->begin = begin;
	if (end > row->end)
		row->end = end;
	row->step = ev->step;
	row->epoch = ev->epoch;
	row->ended = end;
}

static void sum_times(struct step_times *t)
{
	t->compute += spans_total(&t->spans[WORK_COMPUTE]);
	t->copy += spans_total(&t->spans[WORK_COPY]);
	t->busy += spans_union(&t->spans[WORK_COMPUTE], &t->spans[WORK_COPY]);
	spans_free(&t->spans[WORK_COMPUTE]);
	spans_free(&t->spans[WORK_COPY]);
}

/* Steps that nothing was heard of for so many events are over: their spans need not be kept. */
#define STEP_IS_OVER 1000000

static void sum_old_steps(struct summary *s)
{
	for (; s->summed < s->steps.count; s->summed++) {
		struct step_row *row = table_item(&s->steps, s->summed);

		if (row->newest + STEP_IS_OVER > s->report->kept)
			return;
		sum_times(&row->host);
		sum_times(&row->device);
	}
}

static struct step_row *step_row(struct summary *s, const struct trace_event *ev)
{
	size_t before = s->steps.count;
	struct step_row *row = table_put(&s->steps, (uint64_t)ev->step);

	row->newest = s->report->kept;
	if (s->steps.count > before)
		sum_old_steps(s);
	if (!row->events || row->epoch != ev->epoch)
		add_epoch(s, row, ev);
	return row;
}

static void take_step(struct summary *s, const struct trace_event *ev, const struct device_time *dev)
{
	struct step_row *row = step_row(s, ev);
	enum work work = work_of(ev->kind);
	uint64_t end = ev->begin_ns + ev->duration_ns;

	row->events++;
	if (!row->ended && end > row->end)
		row->end = end;
	if (work == WORK_OTHER)
		return;
	spans_add(&row->host.spans[work], ev->begin_ns, end);
	if (dev)
		spans_add(&row->device.spans[work], dev->begin_ns, dev->begin_ns + dev->duration_ns);
}

static struct kernel_row *kernel(struct summary *s, const struct launch *launch,
				 enum event_kind kind, const char *name)
{
	uint64_t id = launch && launch->name ? launch->def.name : 0;
	struct kernel_row *row = table_put(&s->kernels, id * (EV_KINDS + 1) + kind);

	if (!row->name) {
		name = id ? launch->name : name;
		row->name = memory_text(name, strlen(name));
		row->kind = kind;
	}
	return row;
}

static void take_copy(struct summary *s, const struct trace_event *ev, const struct device_time *dev)
{
	struct copy_row *row = &s->report->copies[ev->direction];

	row->count++;
	row->bytes += ev->bytes;
	row->host_ns += ev->duration_ns;
	if (dev) {
		row->timed++;
		row->device_ns += dev->duration_ns;
	}
}

static void sort_memory(struct summary *s, const struct trace_event *ev)
{
	struct memory_event m = {
		.address = ev->address,
		.bytes = ev->bytes,
		.is_free = ev->kind == EV_FREE,
	};

	if (ev->result || !ev->address)
		return;
	/* An address may be handed out again while its free is still returning. */
	sorter_push(&s->memory, ev->begin_ns + (m.is_free ? 0 : ev->duration_ns), 0, &m);
}

/* One call may give back several addresses; its event tells of the first. */
static void take_freed(void *context, uint64_t address, uint64_t ns)
{
	struct summary *s = context;
	struct memory_event m = { .address = address, .is_free = true };

	sorter_push(&s->memory, ns, 0, &m);
}

static void take_event(void *context, const struct trace_event *ev, const struct device_time *dev)
{
	struct summary *s = context;
	struct kernel_row *row;

	s->report->kept++;
	++*(uint64_t *)table_put(&s->hooks, ev->hook);
	take_step(s, ev, dev);
	if (ev->nested)
		return; /* the outer call tells the same story */

	if (ev->kind == EV_LAUNCH || ev->kind == EV_OPERATOR) {
		row = kernel(s, ev->launch, ev->kind, ev->name);
		row->count++;
		row->host_ns += ev->duration_ns;
	} else if (ev->kind == EV_COPY) {
		take_copy(s, ev, dev);
	} else if (ev->kind == EV_ALLOC || ev->kind == EV_FREE) {
		sort_memory(s, ev);
	}
}

static void take_memory(void *context, const void *item)
{
	struct summary *s = context;

	memory_take(&s->report->memory, &s->live, item);
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct summary *s = context;
	struct kernel_row *row;

	s->report->timed++;
	if (dev->kind == EV_LAUNCH || dev->kind == EV_OPERATOR) {
		row = kernel(s, dev->launch, dev->kind, dev->name);
		row->device_ns += dev->duration_ns;
		row->timed++;
	}
}

static void finish_step(struct step_row *row)
{
	const struct step_times *t;

	sum_times(&row->host);
	sum_times(&row->device);
	row->by_device = row->device.busy > 0;
	t = row->by_device ? &row->device : &row->host;
	row->compute = t->compute;
	row->copy = t->copy;
	row->idle = row->end - row->begin > t->busy ? row->end - row->begin - t->busy : 0;
}

static int by_begin(const void *a, const void *b)
{
	const struct step_row *x = a, *y = b;

	if ((x->step == STEP_NULL) != (y->step == STEP_NULL))
		return x->step == STEP_NULL ? 1 : -1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

static int by_time(const void *a, const void *b)
{
	const struct kernel_row *x = a, *y = b;
	uint64_t time_x = x->timed ? x->device_ns : x->host_ns;
	uint64_t time_y = y->timed ? y->device_ns : y->host_ns;

	return time_x != time_y ? (time_x < time_y) - (time_x > time_y) : strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct count_row *)a)->name, ((const struct count_row *)b)->name);
}

/* The rows become the report's: a table's items are a plain array. */
static void *hand_over(struct table *t, size_t *count, int (*order)(const void *, const void *))
{
	void *rows = t->items;

	*count = t->count;
	t->items = NULL;
	if (*count)
		qsort(rows, *count, t->item_size, order);
	table_free(t);
	return rows;
}

static void hand_over_entries(struct summary *s)
{
	struct report *r = s->report;

	r->entry_count = s->hooks.count;
	r->entries = memory_zero(r->entry_count, sizeof(*r->entries));
	for (size_t i = 0; i < r->entry_count; i++) {
		uint64_t number = s->hooks.keys[i];
		const struct hook_name *hook = table_find(&s->process->defs.hooks, number);
		const char *name = hook ? hook->name : "unknown";

		r->entries[i] = (struct count_row){ memory_text(name, strlen(name)),
						    *(uint64_t *)table_item(&s->hooks, i) };
	}
	qsort(r->entries, r->entry_count, sizeof(*r->entries), by_name);
	table_free(&s->hooks);
}

static void finish(struct summary *s)
{
	struct report *r = s->report;

	sorter_flush(&s->memory);
	for (size_t i = 0; i < s->steps.count; i++)
		finish_step(table_item(&s->steps, i));
	hand_over_entries(s);
	r->steps = hand_over(&s->steps, &r->step_count, by_begin);
	r->kernels = hand_over(&s->kernels, &r->kernel_count, by_time);
	table_free(&s->live);
	sorter_free(&s->memory);
}

void report_collect(struct report *r, struct process *p)
{
	struct summary s = {
		.report = r,
		.process = p,
		.steps = TABLE(struct step_row),
		.kernels = TABLE(struct kernel_row),
		.hooks = TABLE(uint64_t),
		.live = TABLE(uint64_t),
	};
	struct visitor v = {
		.freed = take_freed,
		.device = take_device,
		.context = &s,
	};

	sorter_init(&s.memory, sizeof(struct memory_event), SORTER_WINDOW, take_memory, &s);
	process_joined(p, &v, take_event);
	finish(&s);
}
