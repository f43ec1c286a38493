/* line_json.c - one event as a line of JSON; docs/output.md is the contract. */
#include "analysis/dump/line.h"
#include "analysis/dump/line_parts.h"
#include "analysis/dump/line_stack.h"
#include "analysis/trace/event_fields.h"
#include "analysis/trace/graphs.h"
#include "analysis/trace/shapes.h"
#include "analysis/trace/words.h"

/* A key and its comma as one piece of text. */
#define KEY(name) ",\"" name "\":"

static void json_sizes(struct out *o, const char *key, const uint64_t *size, uint32_t dimensions)
{
	out_text(o, key);
	out_char(o, '[');
	dump_line_sizes(o, size, dimensions, ',');
	out_char(o, ']');
}

static void json_hex(struct out *o, const char *key, uint64_t address)
{
	if (!address)
		return;
	out_text(o, key);
	out_char(o, '"');
	out_hex(o, address);
	out_char(o, '"');
}

static void json_number(struct out *o, const char *key, uint64_t n)
{
	out_text(o, key);
	out_u64(o, n);
}

static void json_rank(struct out *o, const struct process *p, bool has_rank, int64_t rank)
{
	out_text(o, "{\"rank\":");
	if (has_rank)
		out_i64(o, rank);
	else
		out_text(o, "null");
	if (p->grouped) {
		const char *group = process_fact(p, "worker_group");

		out_json_text(o, "worker_group", *group ? group : NULL);
	}
	out_text(o, KEY("pid"));
	out_u64(o, p->pid);
}

static void json_graph(struct out *o, const struct graph *graph)
{
	if (!graph)
		return;
	json_number(o, KEY("nodes"), graph->def.nodes);
	out_text(o, KEY("kernels"));
	graph_json(o, graph);
	if (graph->def.others)
		json_number(o, KEY("kernels_left_out"), graph->def.others);
}

static void json_launch(struct out *o, const struct launch *launch)
{
	if (!launch)
		return;
	if (launch->name) {
		out_text(o, KEY("kernel"));
		out_json(o, launch->name);
	}
	if (launch->def.dimensions)
		json_sizes(o, KEY("global"), launch->def.global, launch->def.dimensions);
	if (launch->def.dimensions && launch->def.has_local)
		json_sizes(o, KEY("local"), launch->def.local, launch->def.dimensions);
	if (launch->has_shared)
		json_number(o, KEY("shared_memory"), launch->shared);
	json_graph(o, launch->graph);
	if (!launch->shapes)
		return;
	out_text(o, KEY("shapes"));
	shapes_json(o, launch->shapes);
	if (launch->shapes->def.left_out)
		json_number(o, KEY("tensors_left_out"), launch->shapes->def.left_out);
}

static void json_key(struct out *o, const char *key)
{
	out_text(o, ",\"");
	out_text(o, key);
	out_text(o, "\":");
}

static void json_field(struct out *o, const struct field *field)
{
	json_key(o, field->key);
	if (field->text)
		out_json(o, field->text);
	else
		out_i64(o, field->number);
}

static void json_step(struct out *o, const char *key, int64_t step)
{
	out_text(o, key);
	if (step == STEP_NULL)
		out_text(o, "null");
	else
		out_i64(o, step);
}

/* Of a process that told of any place, for each event: null, where it was in none. */
static void json_place(struct out *o, const struct trace_event *ev)
{
	struct field known[PLACE_FIELDS_MAX];
	size_t n = event_fields_of_place(ev->place, known), next = 0;

	for (size_t i = 0; ev->process->defs.places.count && i < PLACE_FIELDS_MAX; i++) {
		if (next < n && known[next].key == place_keys[i]) {
			json_field(o, &known[next++]);
			continue;
		}
		json_key(o, place_keys[i]);
		out_text(o, "null");
	}
}

void dump_lost_jsonl(struct out *o, const struct trace_lost *lost)
{
	json_rank(o, lost->process, lost->process->has_rank, lost->process->rank);
	json_number(o, KEY("tid"), lost->tid);
	json_step(o, KEY("step"), lost->first_step);
	json_number(o, KEY("begin_ns"), lost->begin_ns);
	json_number(o, KEY("duration_ns"), lost->end_ns - lost->begin_ns);
	out_text(o, KEY("kind") "\"dropped\"");
	json_step(o, KEY("last_step"), lost->last_step);
	json_number(o, KEY("calls"), lost->calls);
	out_text(o, "}\n");
}

/* What the call was given. */
static void json_given(struct out *o, const struct trace_event *ev)
{
	if (event_has_bytes(ev))
		json_number(o, KEY("bytes"), ev->bytes);
	if (ev->direction) {
		out_text(o, KEY("direction"));
		out_json(o, direction_words[ev->direction]);
	}
	if (ev->stream)
		json_number(o, KEY("stream"), ev->stream);
	json_hex(o, KEY("address"), ev->address);
	json_hex(o, KEY("source"), ev->source);
	json_hex(o, KEY("plan"), ev->plan);
}

static void json_device(struct out *o, const struct device_time *dev)
{
	json_number(o, KEY("device_begin_ns"), dev->begin_ns);
	json_number(o, KEY("device_duration_ns"), dev->duration_ns);
	if (!dev->source)
		return;
	out_text(o, KEY("device_source"));
	out_json(o, dev->source);
}

void dump_jsonl(struct out *o, const struct dump_line *line)
{
	const struct trace_event *ev = line->event;
	int64_t rank;
	bool has_rank = trace_rank_of(ev, &rank);

	json_rank(o, ev->process, has_rank, rank);
	json_number(o, KEY("tid"), ev->tid);
	json_step(o, KEY("step"), ev->step);
	json_place(o, ev);
	json_number(o, KEY("begin_ns"), ev->begin_ns);
	json_number(o, KEY("duration_ns"), ev->duration_ns);
	out_text(o, KEY("kind"));
	out_json(o, kind_words[ev->kind]);
	out_text(o, KEY("name"));
	out_json(o, ev->name);
	out_text(o, KEY("result"));
	out_i64(o, ev->result);
	json_launch(o, ev->launch);
	dump_line_fields(o, ev, json_field);
	json_given(o, ev);
	if (line->operator) {
		out_text(o, KEY("operator"));
		out_json(o, line->operator);
	}
	if (line->device)
		json_device(o, line->device);
	if (ev->nested)
		out_text(o, ",\"nested\":true");
	if (ev->captured)
		out_text(o, ",\"captured\":true");
	dump_stack_json(o, ev);
	out_text(o, "}\n");
}
