#include "analysis/export/ascend/trace_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/ascend/trace_view_lanes.h"
#include "analysis/export/ascend/words.h"
#include "analysis/export/chrome_record.h"
#include "analysis/trace/call_stack.h"
#include "analysis/trace/shapes.h"
#include "analysis/trace/words.h"

#define TORCH_TO_NPU (1ull << 49) /* no two arrows of a file have one number: beyond all ascend_id(), with no more digits */

static void put_time(struct trace_view *v, uint64_t ns)
{
	out_text(v->out, ",\"ts\":\"");
	out_micro(v->out, ns);
	out_char(v->out, '"');
}

/* Open for its category and arguments. */
static void begin_slice(struct trace_view *v, struct at at, uint64_t begin, uint64_t end)
{
	trace_view_record(v, "X", at);
	put_time(v, begin);
	out_text(v->out, ",\"dur\":");
	out_micro(v->out, end > begin ? end - begin : 0);
}

static void end_slice(struct trace_view *v)
{
	out_text(v->out, "}}");
}

static void put_flow(struct trace_view *v, bool ends, const char *name, const char *category, uint64_t id, struct at at, uint64_t ns)
{
	chrome_record_begin_arrow(v->out, !v->records++, ends, at.pid, at.tid, name, category);
	out_u64(v->out, id);
	out_char(v->out, '"');
	put_time(v, ns);
	out_char(v->out, '}');
}

static void put_argument(struct trace_view *v, const char *key, const char *text)
{
	out_text(v->out, key);
	out_json_plain(v->out, text);
}

/* ---- the host ---- */

static void put_shapes(struct trace_view *v, const struct shapes *shapes)
{
	out_text(v->out, ",\"Input Dims\":\"");
	ascend_shapes_text(v->out, shapes, PART_DIMENSIONS);
	out_text(v->out, "\",\"Input type\":\"");
	ascend_shapes_text(v->out, shapes, PART_TYPES);
	out_char(v->out, '"');
}

static void put_stack(struct trace_view *v, const struct trace_event *ev)
{
	char *line = call_stack_line(ev, ";\r\n");

	if (line) {
		out_text(v->out, ",\"Call stack\":");
		out_json(v->out, line);
	}
	free(line);
}

/*
 * Readers know no threads here: a step that begins while another thread is in an operator is a part of that one to them, and the step's own
 * operators are lost. 0: no step begins; else when the bar is to end.
 */
static uint64_t cut_by_step(const struct ascend *a, uint64_t begin, uint64_t end)
{
	const struct ascend_stretch *now = ascend_steps_stretch(&a->steps, begin), *next;

	if (!now || now->end > end)
		return 0;
	next = ascend_steps_stretch(&a->steps, now->end);
	return next && next->step != UINT64_MAX ? now->end - 1 : 0;
}

/* What a program of Python would call itself is not known: its operators are the nearest to that. */
static void put_operator(struct trace_view *v, const struct ascend *a, const struct trace_event *ev)
{
	struct at at = host_at(v, a, LANE_PYTHON, ev->tid);
	uint64_t end = ev->begin_ns + ev->duration_ns, cut = cut_by_step(a, ev->begin_ns, end);

	begin_slice(v, at, ev->begin_ns, cut ? cut : end);
	put_argument(v, ",\"cat\":\"cpu_op\",\"name\":", ascend_operator_name(ev));
	out_text(v->out, ",\"args\":{\"Thread Id\":");
	out_u64(v->out, ev->tid);
	if (cut) {
		out_text(v->out, ",\"whole duration(us)\":");
		out_micro(v->out, ev->duration_ns);
	}
	if (ev->launch && ev->launch->shapes)
		put_shapes(v, ev->launch->shapes);
	put_stack(v, ev);
	end_slice(v);
}

static bool leads_to_work(const struct ascend *a, const struct trace_event *ev)
{
	return a->wants_times && ascend_call_works(ev) &&
	       (ev->kind == EV_LAUNCH || ev->kind == EV_COPY || ev->kind == EV_FILL || ev->kind == EV_MAP || ev->kind == EV_COLLECTIVE);
}

/* Names of rows need no look at each letter by who quotes JSON; those that a broken file makes up do. */
static void put_call_name(struct trace_view *v, const char *name)
{
	const char *layer = layer_words[words_layer(name)];
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*");
	char text[256];

	if (name[length]) {
		snprintf(text, sizeof(text), "%s@%s", layer, name);
		put_argument(v, ",\"name\":", text);
		return;
	}
	out_text(v->out, ",\"name\":\"");
	out_text(v->out, layer);
	out_char(v->out, '@');
	out_bytes(v->out, name, length);
	out_char(v->out, '"');
}

static void put_call(struct trace_view *v, const struct ascend *a, const struct trace_event *ev)
{
	struct at at = host_at(v, a, LANE_CANN, ev->tid);
	uint64_t id = ascend_id(ev->ring, ev->slot);

	begin_slice(v, at, ev->begin_ns, ev->begin_ns + ev->duration_ns);
	put_call_name(v, ev->name);
	out_text(v->out, ",\"args\":{\"Thread Id\":");
	out_u64(v->out, ev->tid);
	out_text(v->out, ",\"connection_id\":");
	out_u64(v->out, id);
	if (ev->result) {
		out_text(v->out, ",\"result\":");
		out_i64(v->out, ev->result);
	}
	put_stack(v, ev);
	end_slice(v);
	if (leads_to_work(a, ev))
		put_flow(v, false, "HostToDevice", "HostToDevice", id, at, ev->begin_ns);
}

void trace_view_call(struct trace_view *v, const struct ascend *a, const struct trace_event *ev)
{
	if (ev->kind == EV_OPERATOR)
		put_operator(v, a, ev);
	else
		put_call(v, a, ev);
}

#define GAP 500 /* ns */

/*
 * Readers take a step that begins when another ends for a part of that one: it ends before, by twice what Perfetto can tell apart, which has
 * microseconds since 1970 as doubles, and leaves out what seems to cross.
 */
void trace_view_step(struct trace_view *v, const struct ascend *a, const struct ascend_step *step)
{
	struct at at = host_at(v, a, LANE_PYTHON, (uint32_t)a->process->pid);

	begin_slice(v, at, step->begin, step->end > step->begin + GAP ? step->end - GAP : step->end);
	out_format(v->out, ",\"cat\":\"cpu_op\",\"name\":\"ProfilerStep#%lld\",\"args\":{", (long long)step->step);
	end_slice(v);
}

static void put_words_of_marker(struct trace_view *v, const struct marker *m, const char *type)
{
	put_argument(v, ",\"name\":", m && m->message ? m->message : "");
	put_argument(v, ",\"args\":{\"domain\":", m && m->domain ? m->domain : "default");
	put_argument(v, ",\"event_type\":", type);
	end_slice(v);
}

void trace_view_range(struct trace_view *v, const struct ascend *a, const struct range *range)
{
	begin_slice(v, host_at(v, a, LANE_MSTX, range->tid), range->begin, range_end(range, a->last_ns));
	put_words_of_marker(v, range->marker, range->nests ? "push/pop" : "start/end");
}

/* From the host's slice to what lies between its two events in the stream. */
void trace_view_range_task(struct trace_view *v, const struct ascend *a, const struct ascend_task *task)
{
	uint64_t begin = task->device->begin_ns;
	struct at at = range_at(v, a, task->device->stream);
	char name[32];

	begin_slice(v, at, begin, begin + task->device->duration_ns);
	put_words_of_marker(v, task->parent ? task->parent->definition : NULL, "start/end");
	if (!task->parent)
		return;
	snprintf(name, sizeof(name), "MsTx_%llu", (unsigned long long)task->id);
	put_flow(v, false, name, "MsTx", task->id, host_at(v, a, LANE_MSTX, task->parent->tid), task->parent->begin);
	put_flow(v, true, name, "MsTx", task->id, at, begin);
}

void trace_view_mark(struct trace_view *v, const struct ascend *a, const struct trace_event *ev)
{
	begin_slice(v, host_at(v, a, LANE_MSTX, ev->tid), ev->begin_ns, ev->begin_ns);
	put_words_of_marker(v, ev->definition, "marker");
}

/* ---- the device ---- */

static void put_copy(struct trace_view *v, const struct ascend_task *task)
{
	if (!task->parent)
		return;
	out_text(v->out, ",\"size(B)\":");
	out_u64(v->out, task->parent->bytes);
	if (task->device->kind == EV_COPY) {
		put_argument(v, ",\"operation\":", words_direction(task->parent->direction));
		if (task->device->duration_ns)
			out_format(v->out, ",\"bandwidth(GB/s)\":%.6f", (double)task->parent->bytes / (double)task->device->duration_ns);
	}
}

static void put_collective(struct trace_view *v, const struct ascend_task *task)
{
	const struct collective *c = task->device->collective;

	if (c && c->communicator && c->communicator->def.size) {
		out_text(v->out, ",\"rank_size\":");
		out_u64(v->out, c->communicator->def.size);
	}
	if (c && c->def.type)
		put_argument(v, ",\"data_type\":", words_data(c->def.type));
	if (c && c->def.count) {
		out_text(v->out, ",\"count\":");
		out_u64(v->out, c->def.count);
	}
}

static struct at task_at(struct trace_view *v, const struct ascend *a, const struct ascend_task *task)
{
	if (task->work == ASCEND_COLLECTIVE)
		return group_at(v, a, task->device->stream, task->device->collective, false);
	if (task->work == ASCEND_COLLECTIVE_TASK)
		return group_at(v, a, task->device->stream, task->parent->definition, true);
	return stream_at(v, a, task->device->stream);
}

static void put_arguments(struct trace_view *v, const struct ascend_task *task)
{
	out_text(v->out, ",\"args\":{\"connection_id\":");
	out_u64(v->out, task->id);
	if (task->work == ASCEND_COLLECTIVE) {
		put_collective(v, task);
		return;
	}
	out_text(v->out, ",\"Task Type\":\"N/A\",\"Physic Stream Id\":");
	out_u64(v->out, task->device->stream);
	out_text(v->out, ",\"Stream Id\":");
	out_u64(v->out, task->device->stream);
	if (task->work == ASCEND_COPY)
		put_copy(v, task);
}

void trace_view_task(struct trace_view *v, const struct ascend *a, const struct ascend_task *task, const char *name)
{
	uint64_t begin = task->device->begin_ns;
	struct at at = task_at(v, a, task);

	begin_slice(v, at, begin, begin + task->device->duration_ns);
	put_argument(v, ",\"name\":", name);
	put_arguments(v, task);
	end_slice(v);
	put_flow(v, true, "HostToDevice", "HostToDevice", task->id, at, begin);
	if (!task->operator_)
		return;
	put_flow(v, false, "torch_to_npu", "async_npu", TORCH_TO_NPU + task->id, host_at(v, a, LANE_PYTHON, task->parent->tid), task->parent->begin);
	put_flow(v, true, "torch_to_npu", "async_npu", TORCH_TO_NPU + task->id, at, begin);
}

void trace_view_bar(struct trace_view *v, const struct ascend *a, enum overlap_bar bar, uint64_t begin, uint64_t end)
{
	static const char *const names[BARS] = {
#define BAR(symbol, name, word) name,
		OVERLAP_BARS(BAR)
#undef BAR
	};

	begin_slice(v, thread_at(v, a, LANE_OVERLAP, a->device, bar, names[bar]), begin, end);
	put_argument(v, ",\"name\":", names[bar]);
	out_text(v->out, ",\"args\":{");
	end_slice(v);
}

/* ---- the file ---- */

void trace_view_begin(struct trace_view *v, struct ascend *a)
{
	*v = (struct trace_view){ .out = folder_file(a, "ASCEND_PROFILER_OUTPUT/trace_view.json"), .lanes = TABLE(uint8_t), .groups = TABLE(uint32_t) };
	out_char(v->out, '[');
}

void trace_view_end(struct trace_view *v)
{
	out_text(v->out, "]\n");
	table_free(&v->lanes);
	table_free(&v->groups);
}
