#include "analysis/export/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/timeline/device.h"
#include "analysis/export/timeline/ranges.h"
#include "analysis/export/timeline/stages.h"
#include "analysis/export/timeline/steps.h"
#include "analysis/trace/event_fields.h"
#include "analysis/trace/operators.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"

struct line {
	struct line_writer writer;
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

static uint32_t thread_track(struct line *t, uint32_t tid)
{
	uint32_t *track = table_put(&t->threads, tid);
	char title[32];

	if (!*track) {
		snprintf(title, sizeof(title), "thread %u", tid);
		*track = line_track(&t->writer, t->pid, title, tid);
	}
	return *track;
}

static void event_arguments(struct line *t, const struct trace_event *ev)
{
	struct line_writer *w = &t->writer;
	struct field fields[EVENT_FIELDS_MAX], place[PLACE_FIELDS_MAX];
	const char *operator= operators_around(&t->operators, ev);

	line_step(w, ev->step);
	line_fields(w, place, event_fields_of_place(ev->place, place));
	line_launch(w, ev->launch);
	line_fields(w, fields, event_fields(ev, fields));
	if (event_has_bytes(ev))
		w->format->number(w, "bytes", (int64_t)ev->bytes);
	if (ev->direction)
		w->format->text(w, "direction", direction_words[ev->direction]);
	if (ev->stream)
		w->format->number(w, "stream", ev->stream);
	if (ev->result)
		w->format->number(w, "result", ev->result);
	if (ev->launch && ev->launch->shapes)
		w->format->shapes(w, ev->launch->shapes);
	if (operator)
		w->format->text(w, "operator", operator);
}

/* From a first phase's end to the operator that it was for. */
static void put_arrow(struct line *t, const struct trace_event *ev)
{
	uint64_t number = operators_plan(&t->operators, ev);

	if (number)
		t->writer.format->arrow(&t->writer, ev->kind == EV_OPERATOR, "prepared", t->flows + number);
}

void timeline_event(struct export *e, const struct trace_event *ev)
{
	struct line *t = e->own;
	uint32_t track = thread_track(t, ev->tid); /* first: opening one writes records of its own */

	t->writer.format->slice(&t->writer, t->pid, track, ev->name, kind_words[ev->kind], ev->begin_ns, ev->duration_ns);
	event_arguments(t, ev);
	put_arrow(t, ev);
	t->writer.format->close(&t->writer);
}

/* ---- what tracks are made of, in the order of the files ---- */

void timeline_take_step(void *context, uint32_t ring, uint64_t position, uint32_t epoch)
{
	const struct export *e = context;
	struct line *t = e->own;

	device_steps_take(&t->device.steps, e, ring, position, epoch);
}

void timeline_take_event(void *context, const struct trace_event *ev)
{
	struct export *e = context;
	struct line *t = e->own;

	if (ev->begin_ns + ev->duration_ns > t->last_ns)
		t->last_ns = ev->begin_ns + ev->duration_ns;
	device_steps_pass(&t->device.steps, ev);
	if (choice_has_stage(e->choice, ev->place ? ev->place->stage : NULL))
		range_tracks_take(&t->ranges, ev);
	if (choice_has_step(e->choice, ev->step))
		step_track_take(&t->steps, t->process, ev);
}

/* Calls that found their thread's ring full have no slices: a mark where the first of them was. */
void timeline_take_lost(void *context, const struct trace_lost *lost)
{
	struct export *e = context;
	struct line *t = e->own;
	uint32_t track;
	char title[64];

	if (!choice_has_lost(e->choice, lost))
		return;
	track = thread_track(t, lost->tid);
	snprintf(title, sizeof(title), "%llu calls dropped", (unsigned long long)lost->calls);
	t->writer.format->mark(&t->writer, t->pid, track, title, "dropped", lost->begin_ns);
	t->writer.format->number(&t->writer, "calls", (int64_t)lost->calls);
	t->writer.format->number(&t->writer, "within_ns", (int64_t)(lost->end_ns - lost->begin_ns));
	t->writer.format->close(&t->writer);
}

void timeline_take_device(void *context, const struct trace_device *dev)
{
	struct line *t = ((struct export *)context)->own;

	device_tracks_take(&t->device, dev);
}

/* ---- a process ---- */

static void name_process(struct line *t)
{
	const struct process *p = t->process;
	char rank[32] = "rank ?", title[256];

	if (p->has_rank)
		snprintf(rank, sizeof(rank), "rank %lld", (long long)p->rank);
	snprintf(title, sizeof(title), "%s (%s:%llu)", rank, process_fact(p, "host"),
		 (unsigned long long)p->pid);
	t->writer.format->process(&t->writer, t->pid, title);
	snprintf(title, sizeof(title), "%s device (%s:%llu)", rank, process_fact(p, "host"),
		 (unsigned long long)p->pid);
	t->writer.format->process(&t->writer, t->pid + 1, title);
}

void timeline_process(struct export *e, struct process *p)
{
	struct line *t = e->own;

	t->process = p;
	t->threads = TABLE(uint32_t);
	t->operators = OPERATORS;
	t->last_ns = 0;
	name_process(t);
	step_track_begin(&t->steps);
	range_tracks_begin(&t->ranges, t->pid);
	device_tracks_begin(&t->device, t->pid + 1, p);
}

void timeline_process_end(struct export *e, struct process *p)
{
	struct line *t = e->own;

	range_tracks_end(&t->ranges);
	device_tracks_end(&t->device);
	step_track_end(&t->steps, p, &t->writer, t->pid);
	stage_tracks_put(&t->writer, t->pid, p, e->choice, t->last_ns);
	t->flows += t->operators.planned;
	table_free(&t->threads);
	operators_free(&t->operators);
	t->pid += 2;
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

void timeline_begin(struct export *e, const struct line_format *format)
{
	struct line *t = e->own = alloc_zero(1, sizeof(*t));

	/* Tracks are numbered far from processes: a thread of its process's number is special. */
	*t = (struct line){
		.pid = 1,
		.writer = { .format = format, .out = e->out, .tracks = 1000000, .base = choose_base(e->trace) },
	};
	range_tracks_init(&t->ranges, &t->writer, e->choice);
	device_tracks_init(&t->device, &t->writer, e);
	format->begin(&t->writer);
}

void timeline_end(struct export *e)
{
	struct line *t = e->own;

	t->writer.format->end(&t->writer);
	range_tracks_free(&t->ranges);
	device_tracks_free(&t->device);
	free(t);
}
