/* chrome.c - processes, one by one, into Chrome's JSON trace format, in memory of a fixed size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/chrome.h"
#include "analysis/chrome_ranges.h"
#include "analysis/dump.h"
#include "analysis/lanes.h"
#include "analysis/marks.h"
#include "analysis/memory.h"
#include "analysis/operators.h"
#include "analysis/plans.h"
#include "analysis/records.h"
#include "analysis/said.h"
#include "analysis/shapes.h"
#include "analysis/sorter.h"

/* A step, as wide as its epochs say or else its events. */
struct span_of_step {
	int64_t step;
	uint64_t begin, end;
	bool ended;
};

struct chrome {
	struct records records;
	struct process *process;
	uint32_t pid;	      /* of the host's side; the device's is one more */
	struct table threads; /* uint32_t track by tid */
	struct table streams; /* struct lanes by stream */
	struct table steps;   /* struct span_of_step by epoch */
	struct sorter host, device;
	struct table ends; /* uint64_t by ring (16 bits): the position behind its last event */
	struct operators operators;
	struct plans plans;
	uint64_t flows; /* arrows of processes before this one */
	struct range_tracks ranges;
	uint64_t *end;	    /* of the ring that is read now */
	struct marks marks; /* from which position on a ring is in which step: device times come later */
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

static void put_step_number(struct chrome *c, bool *first, int64_t step)
{
	if (step == STEP_NULL)
		return;
	records_argument(&c->records, first, "step");
	out_i64(c->records.out, step);
}

static void event_arguments(struct chrome *c, const struct trace_event *ev)
{
	struct said said[SAID_MAX];
	const char *operator= operators_around(&c->operators, ev);
	bool first = true;

	put_step_number(c, &first, ev->step);
	records_launch(&c->records, &first, ev->launch);
	records_said(&c->records, &first, said, said_of(ev, said));
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
		shapes_arguments(&c->records, &first, ev->launch->shapes);
	if (operator) {
		records_argument(&c->records, &first, "operator");
		out_json_plain(c->records.out, operator);
	}
	out_text(c->records.out, first ? "}" : "}}");
}

/* From a first phase's end to the operator that it was for. */
static void put_arrow(struct chrome *c, uint32_t track, const struct trace_event *ev)
{
	uint64_t number = plans_number(&c->plans, ev);
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

static void note_step(struct chrome *c, const struct trace_event *ev)
{
	struct span_of_step *s = table_put(&c->steps, ev->epoch);
	uint64_t end = ev->begin_ns + ev->duration_ns;

	if (!s->begin) {
		const struct def_epoch *def = table_find(&c->process->defs.epochs, ev->epoch);

		s->step = ev->step;
		s->begin = def && def->begin ? process_time(c->process, def->begin) : ev->begin_ns;
		s->ended = def && def->end;
		s->end = s->ended ? process_time(c->process, def->end) : 0;
	}
	if (!s->ended && end > s->end)
		s->end = end;
}

static void take_step(void *context, uint32_t ring, uint64_t position, uint32_t epoch)
{
	struct chrome *c = context;
	const struct def_epoch *def = table_find(&c->process->defs.epochs, epoch);

	c->end = table_put(&c->ends, ring & UINT16_MAX);
	if (position > *c->end) /* lost: of no step that is known */
		marks_put(&c->marks, ring, *c->end, (uint64_t)STEP_NULL);
	marks_put(&c->marks, ring, position, (uint64_t)(def ? def->step : STEP_NULL));
}

static void take_event(void *context, const struct trace_event *ev)
{
	struct chrome *c = context;

	*c->end = ev->slot + 1;
	if (ev->step != STEP_NULL)
		note_step(c, ev);
	range_tracks_take(&c->ranges, ev);
	sorter_push(&c->host, ev->begin_ns, UINT64_MAX - ev->duration_ns, ev);
}

static int by_begin(const void *a, const void *b)
{
	const struct span_of_step *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Kept until all events are seen: a step that did not end is as long as its last event. */
static void put_steps(struct chrome *c)
{
	struct span_of_step *list = (struct span_of_step *)c->steps.items;
	uint32_t track;
	char title[32];

	if (!c->steps.count)
		return;
	qsort(list, c->steps.count, sizeof(*list), by_begin);
	track = records_track(&c->records, c->pid, "steps", -1);
	for (size_t i = 0; i < c->steps.count; i++) {
		uint64_t end = list[i].end;

		if (i + 1 < c->steps.count && end > list[i + 1].begin)
			end = list[i + 1].begin;
		if (end < list[i].begin)
			end = list[i].begin;
		snprintf(title, sizeof(title), "step %lld", (long long)list[i].step);
		records_slice(&c->records, c->pid, track, title, "step", list[i].begin,
			      end - list[i].begin);
		out_char(c->records.out, '}');
	}
}

/* ---- the device's side ---- */

/* Durations are the device's own, beginnings were converted: neighbours may cross by rounding. */
#define ROUNDING 100u /* ns */

static struct lane *free_lane(struct chrome *c, uint16_t stream, uint64_t begin)
{
	struct lanes *lanes = table_put(&c->streams, stream);
	bool fresh;
	struct lane *lane = lanes_free(lanes, begin + ROUNDING, &fresh);
	char title[48];

	if (!fresh)
		return lane;
	snprintf(title, sizeof(title), lanes->count > 1 ? "stream %u (%zu)" : "stream %u", stream,
		 lanes->count);
	lane->track = records_track(&c->records, c->pid + 1, title, stream);
	return lane;
}

/* Of the call that asked for the work; STEP_NULL also where it was not read yet. */
static int64_t step_of(const struct chrome *c, const struct trace_device *dev)
{
	const uint64_t *end = table_find(&c->ends, dev->ring);
	const struct mark *mark;

	if (!end || (int32_t)(dev->slot - (uint32_t)*end) >= 0)
		return STEP_NULL;
	mark = marks_find(&c->marks, dev->ring, dev->slot);
	return mark ? (int64_t)mark->value : STEP_NULL;
}

static void put_device(void *context, const void *item)
{
	const struct trace_device *dev = item;
	struct chrome *c = context;
	struct lane *lane = free_lane(c, dev->stream, dev->begin_ns);
	uint64_t begin = dev->begin_ns > lane->end ? dev->begin_ns : lane->end;
	int64_t step = step_of(c, dev);
	bool first = true;

	lane->end = begin + dev->duration_ns;
	records_slice(&c->records, c->pid + 1, lane->track,
		      dev->launch && dev->launch->name ? dev->launch->name : dev->name,
		      kind_words[dev->kind], begin, dev->duration_ns);
	put_step_number(c, &first, step);
	records_launch(&c->records, &first, dev->launch);
	records_argument(&c->records, &first, "entry_point");
	out_json_plain(c->records.out, dev->name);
	out_text(c->records.out, "}}");
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct chrome *c = context;

	sorter_push(&c->device, dev->begin_ns, UINT64_MAX - dev->duration_ns, dev);
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
	for (size_t i = 0; i < c->streams.count; i++)
		free(((struct lanes *)table_item(&c->streams, i))->list);
	table_free(&c->threads);
	table_free(&c->streams);
	table_free(&c->steps);
	table_free(&c->ends);
	marks_free(&c->marks);
	operators_free(&c->operators);
	plans_free(&c->plans);
}

static void put_process(struct chrome *c, struct process *p)
{
	struct visitor v = { .event = take_event, .device = take_device, .step = take_step, .context = c };

	c->process = p;
	c->threads = TABLE(uint32_t);
	c->streams = TABLE(struct lanes);
	c->steps = TABLE(struct span_of_step);
	c->ends = TABLE(uint64_t);
	c->marks = MARKS(0);
	c->operators = OPERATORS;
	c->plans = PLANS;
	name_process(c);
	range_tracks_begin(&c->ranges, c->pid);
	process_events(p, &v);
	sorter_flush(&c->host);
	range_tracks_end(&c->ranges);
	sorter_flush(&c->device);
	put_steps(c);
	c->flows += c->plans.count;
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

bool chrome_export(struct out *o, struct trace *t, void (*shown)(size_t done, size_t all))
{
	/* Tracks are numbered far from processes: a thread of its process's number is special. */
	struct chrome c = {
		.pid = 1,
		.records = { .out = o, .tracks = 1000000, .base = choose_base(t) },
	};
	bool lost = t->trouble;

	sorter_init(&c.host, sizeof(struct trace_event), SORTER_WINDOW, put_event, &c);
	range_tracks_init(&c.ranges, &c.records);
	sorter_init(&c.device, sizeof(struct trace_device), SORTER_WINDOW, put_device, &c);
	out_format(o, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"base_ns\":\"%llu\"},"
		      "\"traceEvents\":[",
		   (unsigned long long)c.records.base);
	for (size_t i = 0; i < t->count && !o->error; i++) {
		struct process *p = &t->processes[i];

		shown(i, t->count);
		if (process_load(p))
			lost = true;
		else
			put_process(&c, p);
		lost |= process_lost(p) || process_dropped(p);
		process_unload(p);
	}
	out_text(o, "\n]}\n");
	out_flush(o);
	range_tracks_free(&c.ranges);
	sorter_free(&c.host);
	sorter_free(&c.device);
	return !lost;
}
