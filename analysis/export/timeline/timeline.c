#include "analysis/export/timeline/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/timeline/categories.h"
#include "analysis/export/timeline/device.h"
#include "analysis/export/timeline/memory.h"
#include "analysis/export/timeline/quiet.h"
#include "analysis/export/timeline/ranges.h"
#include "analysis/export/timeline/stages.h"
#include "analysis/export/timeline/steps.h"
#include "analysis/export/timeline/titles.h"
#include "analysis/export/shares.h"
#include "analysis/trace/call_stack.h"
#include "analysis/trace/event_fields.h"
#include "analysis/trace/operators.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"

struct line {
	struct line_writer writer; /* of this format while it is this share's turn; else it writes nothing */
	const struct line_format *format;
	struct line_format quiet;
	struct out *out, nowhere;
	struct process *process;
	uint32_t pid;	      /* of the host's side */
	struct table threads; /* uint32_t track by tid */
	struct step_track steps;
	struct device_tracks device;
	struct range_tracks ranges;
	struct memory_counters memory;
	struct operators operators;
	uint64_t last_ns; /* when the last call ended */
	bool began;	  /* the file; that of one process waits for what is known of it */
};

/* ---- the host's side ---- */

static void name_thread(struct line *t, uint32_t tid)
{
	bool *named = table_put(&t->threads, tid);
	char title[32];

	if (*named)
		return;
	*named = true;
	snprintf(title, sizeof(title), "thread %u", tid);
	t->writer.format->track(&t->writer, t->pid, tid, title, tid);
}

/* An operator has a number, which what is called in it has, too; so has a call and what the device did for it. */
static void put_ids(struct line *t, const struct trace_event *ev, bool in_operator)
{
	struct line_writer *w = &t->writer;

	if (ev->kind == EV_OPERATOR)
		w->format->number(w, "External id", (int64_t)call_id(ev->ring, ev->slot));
	else if (in_operator)
		w->format->number(w, "External id", (int64_t)call_id(t->operators.around_ring, t->operators.around_slot));
	if (!t->device.wanted || !call_is_timed(ev))
		return;
	w->format->number(w, "correlation", (int64_t)call_id(ev->ring, ev->slot));
	line_arrow(w, ARROW_LAUNCHED, false, call_id(ev->ring, ev->slot));
}

/* As PyTorch's traces have it, innermost first. */
static void put_stack(struct line_writer *w, const struct trace_event *ev)
{
	char *line = call_stack_line(ev, ";");

	if (line) {
		w->passing = true;
		w->format->text(w, "Call stack", line);
		w->passing = false;
	}
	free(line);
	if (ev->stack_of != STACK_CALLER)
		w->format->text(w, "stack_of", stack_of_words[ev->stack_of]);
}

static void event_arguments(struct line *t, const struct trace_event *ev)
{
	struct line_writer *w = &t->writer;
	struct field fields[EVENT_FIELDS_MAX], place[PLACE_FIELDS_MAX];
	const char *operator= operators_around(&t->operators, ev);

	put_ids(t, ev, operator!= NULL);
	line_step(w, ev->step);
	line_fields(w, place, event_fields_of_place(ev->place, place));
	line_launch(w, ev->launch);
	if (call_title(ev->name, w->format->begins_names) != ev->name)
		w->format->text(w, "entry_point", ev->name);
	line_fields(w, fields, event_fields(ev, fields));
	if (event_has_bytes(ev))
		w->format->number(w, "bytes", (int64_t)ev->bytes);
	if (ev->direction)
		w->format->text(w, "direction", direction_words[ev->direction]);
	if (ev->stream) /* not "stream": readers take what has one for work of the device */
		w->format->number(w, "to_stream", ev->stream);
	if (ev->result)
		w->format->number(w, "result", ev->result);
	if (ev->captured)
		w->format->truth(w, "captured", true);
	if (ev->launch && ev->launch->shapes)
		w->format->shapes(w, ev->launch->shapes);
	if (operator)
		w->format->text(w, "operator", operator);
	if (ev->has_stack)
		put_stack(w, ev);
}

/* From a first phase's end to the operator that it was for. */
static void put_plan(struct line *t, const struct trace_event *ev)
{
	uint64_t number = operators_plan(&t->operators, ev);

	if (number)
		line_arrow(&t->writer, ARROW_PREPARED, ev->kind == EV_OPERATOR, number);
}

void timeline_event(struct export *e, const struct trace_event *ev)
{
	struct line *t = e->own;
	const char *title;

	name_thread(t, ev->tid); /* first: opening one writes records of its own */
	if (!e->has_turn) {
		operators_around(&t->operators, ev);
		operators_plan(&t->operators, ev);
		return;
	}
	title = call_title(ev->name, t->writer.format->begins_names);
	t->writer.format->slice(&t->writer, t->pid, ev->tid, title, call_category(ev->kind, ev->name), ev->begin_ns, ev->duration_ns);
	event_arguments(t, ev);
	put_plan(t, ev);
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
	device_tracks_call(&t->device, ev);
	if (memory_event_is(ev))
		memory_counters_event(&t->memory, ev);
	if (export_wants_kind(e, EV_MARKER) && choice_has_stage(e->choice, ev->place ? ev->place->stage : NULL))
		range_tracks_take(&t->ranges, ev);
	if (choice_has_step(e->choice, ev->step))
		step_track_take(&t->steps, t->process, ev);
}

/* Calls that found their thread's ring full have no slices: a mark where the first of them was. */
void timeline_take_lost(void *context, const struct trace_lost *lost)
{
	struct export *e = context;
	struct line *t = e->own;
	char title[64];

	if (!choice_has_lost(e->choice, lost))
		return;
	name_thread(t, lost->tid);
	snprintf(title, sizeof(title), "%llu calls dropped", (unsigned long long)lost->calls);
	t->writer.passing = true;
	t->writer.format->mark(&t->writer, t->pid, lost->tid, title, "dropped", lost->begin_ns);
	t->writer.passing = false;
	t->writer.format->number(&t->writer, "calls", (int64_t)lost->calls);
	t->writer.format->number(&t->writer, "within_ns", (int64_t)(lost->end_ns - lost->begin_ns));
	t->writer.format->close(&t->writer);
}

void timeline_take_device(void *context, const struct trace_device *dev)
{
	struct line *t = ((struct export *)context)->own;

	device_tracks_take(&t->device, dev);
}

void timeline_take_piece(void *context, const struct trace_piece *piece)
{
	struct line *t = ((struct export *)context)->own;

	memory_counters_piece(&t->memory, piece);
}

/* ---- a process ---- */

static void set_turn(struct line *t, bool has)
{
	t->writer.format = has ? t->format : &t->quiet;
	t->writer.out = has ? t->out : &t->nowhere;
}

void timeline_turn(struct export *e)
{
	struct line *t = e->own;

	set_turn(t, e->has_turn);
	if (e->has_turn && t->format->resume)
		t->format->resume(&t->writer);
}

static void begin_file(struct line *t)
{
	t->writer.format->begin(&t->writer);
	t->began = true;
}

/* In a file of one process pids are what they were, as PyTorch's profiler has it; in one of several they are numbers. */
static void number_process(struct line *t)
{
	char title[256];

	t->pid = t->writer.only ? (uint32_t)t->process->pid : 2 * t->writer.number + 1;
	title_host(title, sizeof(title), t->process);
	t->writer.format->process(&t->writer, t->pid, title, t->writer.only ? 0 : t->pid);
}

/* In a folder the process has a file of its own, with a name as PyTorch's profiler gives: <host>_<pid>.<ms>. */
static void open_file(struct export *e, struct line *t)
{
	const struct process *p = t->process;
	uint64_t ms = p->files[0].first_realtime / 1000000;
	char *name;

	t->out = e->out;
	if (e->out)
		return;
	for (const struct process *q = e->trace->processes; q < p; q++)
		ms += q->pid == p->pid && q->files[0].first_realtime / 1000000 == p->files[0].first_realtime / 1000000;
	name = alloc_format("%s_%" PRIu64 ".%" PRIu64 ".%s", process_fact(p, "host"), p->pid, ms, t->writer.format->suffix);
	for (char *c = name; *c; c++)
		*c = *c == '/' || (unsigned char)*c <= ' ' ? '_' : *c;
	t->out = e->share->parts > 1 ? destination_table(e->to, name, "") : destination_file(e->to, name); /* to the former all parts add */
	t->writer.only = p;
	t->began = false;
	free(name);
}

static void close_file(struct export *e, struct line *t)
{
	if (e->out)
		return;
	t->writer.format->end(&t->writer);
	if (t->out)
		destination_file_done(e->to, t->out);
}

void timeline_process(struct export *e, struct process *p)
{
	struct line *t = e->own;

	t->process = p;
	t->threads = TABLE(bool);
	t->operators = OPERATORS;
	t->last_ns = 0;
	open_file(e, t);
	set_turn(t, e->has_turn);
	if (!t->began)
		begin_file(t);
	line_restart(&t->writer, (uint32_t)(p - e->trace->processes));
	number_process(t);
	step_track_begin(&t->steps);
	range_tracks_begin(&t->ranges, t->pid);
	device_tracks_begin(&t->device, t->pid, t->writer.only ? 0 : t->pid + 1, p);
	memory_counters_begin(&t->memory, &t->writer, e, p, t->pid);
}

static void label_process(struct line *t)
{
	char missing[MISSING_ROOM], label[MISSING_ROOM + 16];

	process_missing(t->process, missing, sizeof(missing));
	snprintf(label, sizeof(label), "incomplete: %s", missing);
	if (*missing)
		t->writer.format->label(&t->writer, t->pid, label);
}

void timeline_process_end(struct export *e, struct process *p)
{
	struct line *t = e->own;

	range_tracks_end(&t->ranges);
	device_tracks_end(&t->device);
	memory_counters_end(&t->memory);
	step_track_end(&t->steps, p, &t->writer, t->pid);
	stage_tracks_put(&t->writer, t->pid, p, e->choice, t->last_ns);
	label_process(t);
	if (t->writer.format->process_end)
		t->writer.format->process_end(&t->writer);
	table_free(&t->threads);
	operators_free(&t->operators);
	close_file(e, t);
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

	t->format = format;
	t->quiet = line_quiet(format);
	t->nowhere.error = EBADF; /* what is put there is left out */
	t->writer = (struct line_writer){ .format = format, .out = e->out, .base = choose_base(e->trace), .only = e->only, .processes = (uint32_t)e->trace->count };
	range_tracks_init(&t->ranges, &t->writer, e->choice);
	device_tracks_init(&t->device, &t->writer, e);
	if (e->out && !t->writer.only)
		begin_file(t);
}

void timeline_end(struct export *e)
{
	struct line *t = e->own;

	t->writer.format = t->format;
	if (e->out && !t->began) {
		t->writer.out = e->begun ? &t->nowhere : e->out;
		begin_file(t);
	}
	t->writer.out = e->out;
	if (e->out)
		t->writer.format->end(&t->writer);
	range_tracks_free(&t->ranges);
	device_tracks_free(&t->device);
	free(t);
}
