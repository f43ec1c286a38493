/* chrome.c - the time line in Chrome's JSON trace format (chrome://tracing, ui.perfetto.dev). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/chrome/device.h"
#include "analysis/export/chrome/ranges.h"
#include "analysis/export/chrome/records.h"
#include "analysis/export/chrome/stages.h"
#include "analysis/export/chrome/steps.h"
#include "analysis/export/exporter.h"
#include "analysis/trace/event_fields.h"
#include "analysis/trace/operators.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"

struct chrome {
	struct records records;
	struct process *process;
	uint32_t pid;	      /* of the host's side; the device's is one more */
	struct table threads; /* uint32_t track by tid */
	struct step_track steps;
	struct device_tracks device;
	struct range_tracks ranges;
	struct operators operators;
	uint64_t flows;	  /* arrows of processes before this one */
	uint64_t last_ns; /* when the last call ended */
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
	struct field fields[EVENT_FIELDS_MAX], place[PLACE_FIELDS_MAX];
	const char *operator= operators_around(&c->operators, ev);
	bool first = true;

	records_step(&c->records, &first, ev->step);
	records_fields(&c->records, &first, place, event_fields_of_place(ev->place, place));
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

static void put_event(struct export *e, const struct trace_event *ev)
{
	struct chrome *c = e->own;

	/* The track first: opening one writes records of its own. */
	uint32_t track = thread_track(c, ev->tid);

	records_slice(&c->records, c->pid, track, ev->name, kind_words[ev->kind], ev->begin_ns,
		      ev->duration_ns);
	event_arguments(c, ev);
	put_arrow(c, track, ev);
}

/* ---- what tracks are made of, in the order of the files ---- */

static void take_step(void *context, uint32_t ring, uint64_t position, uint32_t epoch)
{
	const struct export *e = context;
	struct chrome *c = e->own;

	device_steps_take(&c->device.steps, e, ring, position, epoch);
}

static void take_event(void *context, const struct trace_event *ev)
{
	struct export *e = context;
	struct chrome *c = e->own;

	if (ev->begin_ns + ev->duration_ns > c->last_ns)
		c->last_ns = ev->begin_ns + ev->duration_ns;
	device_steps_pass(&c->device.steps, ev);
	if (choice_has_stage(e->choice, ev->place ? ev->place->stage : NULL))
		range_tracks_take(&c->ranges, ev);
	if (choice_has_step(e->choice, ev->step))
		step_track_take(&c->steps, c->process, ev);
}

/* Calls that found their thread's ring full have no slices: a mark where the first of them was. */
static void take_lost(void *context, const struct trace_lost *lost)
{
	struct export *e = context;
	struct chrome *c = e->own;
	uint32_t track;
	char title[64];
	bool first = true;

	if (!choice_has_lost(e->choice, lost))
		return;
	track = thread_track(c, lost->tid);
	snprintf(title, sizeof(title), "%llu calls dropped", (unsigned long long)lost->calls);
	records_mark(&c->records, c->pid, track, title, "dropped", lost->begin_ns);
	records_argument(&c->records, &first, "calls");
	out_u64(c->records.out, lost->calls);
	records_argument(&c->records, &first, "within_ns");
	out_u64(c->records.out, lost->end_ns - lost->begin_ns);
	out_text(c->records.out, "}}");
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct chrome *c = ((struct export *)context)->own;

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

static void begin_process(struct export *e, struct process *p)
{
	struct chrome *c = e->own;

	c->process = p;
	c->threads = TABLE(uint32_t);
	c->operators = OPERATORS;
	c->last_ns = 0;
	name_process(c);
	step_track_begin(&c->steps);
	range_tracks_begin(&c->ranges, c->pid);
	device_tracks_begin(&c->device, c->pid + 1, p);
}

static void end_process(struct export *e, struct process *p)
{
	struct chrome *c = e->own;

	range_tracks_end(&c->ranges);
	device_tracks_end(&c->device);
	step_track_end(&c->steps, p, &c->records, c->pid);
	stage_tracks_put(&c->records, c->pid, p, e->choice, c->last_ns);
	c->flows += c->operators.planned;
	table_free(&c->threads);
	operators_free(&c->operators);
	c->pid += 2;
}

/* ---- all of them ---- */

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

static void begin(struct export *e)
{
	struct chrome *c = e->own = alloc_zero(1, sizeof(*c));

	/* Tracks are numbered far from processes: a thread of its process's number is special. */
	*c = (struct chrome){
		.pid = 1,
		.records = { .out = e->out, .tracks = 1000000, .base = choose_base(e->trace) },
	};
	range_tracks_init(&c->ranges, &c->records, e->choice);
	device_tracks_init(&c->device, &c->records, e);
	out_format(e->out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"base_ns\":\"%llu\"},"
			   "\"traceEvents\":[",
		   (unsigned long long)c->records.base);
}

static void end(struct export *e)
{
	struct chrome *c = e->own;

	out_text(e->out, "\n]}\n");
	range_tracks_free(&c->ranges);
	device_tracks_free(&c->device);
	free(c);
}

const struct exporter chrome_exporter = {
	.begin = begin,
	.process = begin_process,
	.event = put_event,
	.visitor = { .event = take_event, .device = take_device, .lost = take_lost, .step = take_step },
	.process_end = end_process,
	.end = end,
};
