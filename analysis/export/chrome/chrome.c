/* chrome.c - processes, one by one, into Chrome's JSON trace format, in memory of a fixed size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/chrome/chrome.h"
#include "analysis/export/chrome/device.h"
#include "analysis/export/chrome/ranges.h"
#include "analysis/export/chrome/steps.h"
#include "analysis/trace/operators.h"
#include "analysis/export/chrome/records.h"
#include "analysis/trace/event_fields.h"
#include "analysis/trace/words.h"
#include "analysis/util/sorter.h"

struct chrome {
	struct records records;
	const struct choice *choice;
	struct process *process;
	uint32_t pid;	      /* of the host's side; the device's is one more */
	struct table threads; /* uint32_t track by tid */
	struct sorter sorter; /* struct trace_event by begin */
	bool shown;	      /* the step of the events that come now was asked for */
	struct step_track steps;
	struct device_tracks device;
	struct range_tracks ranges;
	struct operators operators;
	uint64_t flows; /* arrows of processes before this one */
	struct exported done;
};

/* ---- the host's side ---- */

static uint32_t thread_track(struct chrome *c, uint32_t tid)
{
	uint32_t *track = table_put(&c->threads, tid);
	char title[32];

	if (!*track) {
		snprintf(title, sizeof(title), "thread %u", tid);
		*track = records_track(&c->records, c->pid, title, tid);
	}
	return *track;
}

static void event_arguments(struct chrome *c, const struct trace_event *ev)
{
	struct field fields[EVENT_FIELDS_MAX];
	const char *operator= operators_around(&c->operators, ev);
	bool first = true;

	records_step(&c->records, &first, ev->step);
	records_launch(&c->records, &first, ev->launch);
	records_fields(&c->records, &first, fields, event_fields(ev, fields));
	if (event_has_bytes(ev)) {
		records_argument(&c->records, &first, "bytes");
		out_u64(c->records.out, ev->bytes);
	}
	if (ev->direction) {
		records_argument(&c->records, &first, "direction");
		out_json_plain(c->records.out, direction_words[ev->direction]);
	}
	if (ev->stream) {
		records_argument(&c->records, &first, "stream");
		out_u64(c->records.out, ev->stream);
	}
	if (ev->result) {
		records_argument(&c->records, &first, "result");
		out_i64(c->records.out, ev->result);
	}
	if (ev->launch && ev->launch->shapes)
		records_shapes(&c->records, &first, ev->launch->shapes);
	if (operator) {
		records_argument(&c->records, &first, "operator");
		out_json_plain(c->records.out, operator);
	}
	out_text(c->records.out, first ? "}" : "}}");
}

/* From a first phase's end to the operator that it was for. */
static void put_arrow(struct chrome *c, uint32_t track, const struct trace_event *ev)
{
	uint64_t number = operators_plan(&c->operators, ev);
	bool ends = ev->kind == EV_OPERATOR;

	if (number)
		records_flow(&c->records, ends, c->pid, track, "prepared", c->flows + number,
			     ends ? ev->begin_ns : ev->begin_ns + ev->duration_ns);
}

static void put_event(void *context, const void *item)
{
	const struct trace_event *ev = item;
	struct chrome *c = context;

	/* The track first: opening one writes records of its own. */
	uint32_t track = thread_track(c, ev->tid);

	records_slice(&c->records, c->pid, track, ev->name, kind_words[ev->kind], ev->begin_ns,
		      ev->duration_ns);
	event_arguments(c, ev);
	put_arrow(c, track, ev);
}

static void take_step(void *context, uint32_t ring, uint64_t position, uint32_t epoch)
{
	struct chrome *c = context;
	const struct def_epoch *def = table_find(&c->process->defs.epochs, epoch);

	c->shown = choice_has_step(c->choice, def ? def->step : STEP_NULL);
	device_tracks_step(&c->device, ring, position, def ? def->step : STEP_NULL);
}

static void take_event(void *context, const struct trace_event *ev)
{
	struct chrome *c = context;

	device_tracks_pass(&c->device, ev);
	range_tracks_take(&c->ranges, ev);
	if (!c->shown)
		return;
	c->done.events++;
	step_track_take(&c->steps, c->process, ev);
	sorter_push(&c->sorter, ev->begin_ns, UINT64_MAX - ev->duration_ns, ev);
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct chrome *c = context;

	device_tracks_take(&c->device, dev);
}

/* ---- a process ---- */

static void name_process(struct chrome *c)
{
	const struct process *p = c->process;
	char rank[32] = "rank ?", title[256];

	if (p->has_rank)
		snprintf(rank, sizeof(rank), "rank %lld", (long long)p->rank);
	snprintf(title, sizeof(title), "%s (%s:%llu)", rank, process_fact(p, "host"),
		 (unsigned long long)p->pid);
	records_name(&c->records, "process_name", c->pid, 0, title);
	records_order(&c->records, "process_sort_index", c->pid, 0, c->pid);
	snprintf(title, sizeof(title), "%s device (%s:%llu)", rank, process_fact(p, "host"),
		 (unsigned long long)p->pid);
	records_name(&c->records, "process_name", c->pid + 1, 0, title);
	records_order(&c->records, "process_sort_index", c->pid + 1, 0, c->pid + 1);
}

static void forget_process(struct chrome *c)
{
	table_free(&c->threads);
	operators_free(&c->operators);
}

static void put_process(struct chrome *c, struct process *p)
{
	struct visitor v = { .event = take_event, .device = take_device, .step = take_step, .context = c };

	c->process = p;
	c->threads = TABLE(uint32_t);
	c->operators = OPERATORS;
	name_process(c);
	step_track_begin(&c->steps);
	range_tracks_begin(&c->ranges, c->pid);
	device_tracks_begin(&c->device, c->pid + 1);
	process_events(p, &v);
	sorter_flush(&c->sorter);
	range_tracks_end(&c->ranges);
	device_tracks_end(&c->device);
	step_track_end(&c->steps, &c->records, c->pid);
	c->flows += c->operators.planned;
	forget_process(c);
	c->pid += 2;
}

/*
 * Viewers read ts into a double, which holds no nanoseconds since 1970: times count from the day
 * before the first file began, as its first events may be older than it is.
 */
static uint64_t choose_base(const struct trace *t)
{
	const uint64_t day = 86400000000000u;
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < t->count; i++) {
		if (t->processes[i].files[0].first_realtime < first)
			first = t->processes[i].files[0].first_realtime;
	}
	return t->count && first > day ? (first - day) / 1000000000u * 1000000000u : 0;
}

static void export_process(struct chrome *c, struct process *p)
{
	bool readable = !process_load(p);

	/* A rank may be told only at the end of a file. */
	if (!choice_has_rank(c->choice, p->has_rank, p->rank)) {
		process_unload(p);
		return;
	}
	c->done.ranks++;
	if (readable)
		put_process(c, p);
	c->done.whole &= readable && !process_lost(p) && !process_dropped(p);
	process_unload(p);
}

struct exported chrome_export(struct out *o, struct trace *t, const struct choice *choice, void (*shown)(size_t done, size_t all))
{
	/* Tracks are numbered far from processes: a thread of its process's number is special. */
	struct chrome c = {
		.pid = 1,
		.choice = choice,
		.done.whole = !t->trouble,
		.records = { .out = o, .tracks = 1000000, .base = choose_base(t) },
	};

	sorter_init(&c.sorter, sizeof(struct trace_event), SORTER_WINDOW, put_event, &c);
	range_tracks_init(&c.ranges, &c.records, choice);
	device_tracks_init(&c.device, &c.records, choice);
	out_format(o, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"base_ns\":\"%llu\"},"
		      "\"traceEvents\":[",
		   (unsigned long long)c.records.base);
	for (size_t i = 0; i < t->count && !o->error; i++) {
		shown(i, t->count);
		export_process(&c, &t->processes[i]);
	}
	out_text(o, "\n]}\n");
	out_flush(o);
	range_tracks_free(&c.ranges);
	sorter_free(&c.sorter);
	device_tracks_free(&c.device);
	return c.done;
}
