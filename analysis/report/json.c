/* json.c - the report as one JSON object; docs/output.md is the contract. */
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/allocators.h"
#include "analysis/report/ranges.h"
#include "analysis/trace/words.h"

#define KERNELS_SHOWN 100

static void comma(struct out *o, size_t i)
{
	if (i)
		out_char(o, ',');
}

static void truth(struct out *o, const char *name, bool yes)
{
	out_json_key(o, name);
	out_text(o, yes ? "true" : "false");
}

/* null if the file does not say. */
static void fact(struct out *o, const struct report *r, const char *name)
{
	const char *value = key_values_get(&r->facts, name);

	out_json_key(o, name);
	if (value && *value)
		out_json(o, value);
	else
		out_text(o, "null");
}

static void identity(struct out *o, const struct report *r)
{
	out_text(o, "{\"rank\":");
	if (r->has_rank)
		out_i64(o, r->rank);
	else
		out_text(o, "null");
	out_json_number(o, "pid", r->pid);
	fact(o, r, "host");
	fact(o, r, "job");
	out_json_number(o, "run_started_ns", r->started);
	out_json_key(o, "command");
	out_json(o, r->command);
	fact(o, r, "rank_source");
	fact(o, r, "step_source");
	truth(o, "clean_end", r->clean_end);
	truth(o, "recovered", r->recovered);
	truth(o, "runs", r->runs);
	out_json_key(o, "signal");
	if (r->signal)
		out_i64(o, r->signal);
	else
		out_text(o, "null");
	out_json_number(o, "in_memory", r->in_memory);
}

static void events(struct out *o, const struct report *r)
{
	out_text(o, ",\"events\":{\"called\":");
	out_u64(o, r->called);
	out_json_number(o, "kept", r->kept);
	out_json_number(o, "dropped", r->dropped);
	out_json_key(o, "in_flight");
	out_i64(o, r->in_flight);
	out_char(o, '}');
}

static void entry_points(struct out *o, const struct report *r)
{
	out_json_key(o, "entry_points");
	out_char(o, '{');
	for (size_t i = 0; i < r->entry_point_count; i++) {
		comma(o, i);
		out_json(o, r->entry_points[i].name);
		out_char(o, ':');
		out_u64(o, r->entry_points[i].count);
	}
	out_char(o, '}');
}

static void step(struct out *o, const struct step_row *s)
{
	out_text(o, "{\"step\":");
	if (s->step == STEP_NULL)
		out_text(o, "null");
	else
		out_i64(o, s->step);
	out_json_number(o, "begin_ns", s->begin);
	out_json_number(o, "duration_ns", s->end - s->begin);
	out_json_number(o, "events", s->events);
	truth(o, "ended", s->ended);
	out_json_number(o, "compute_ns", s->sums[WORK_COMPUTE]);
	out_json_number(o, "copy_ns", s->sums[WORK_COPY]);
	out_json_number(o, "communication_ns", s->sums[WORK_COMMUNICATION]);
	out_json_number(o, "idle_ns", s->idle);
	out_json_key(o, "times");
	out_json(o, s->by_device ? "device" : "host");
	out_char(o, '}');
}

static void steps(struct out *o, const struct report *r)
{
	size_t n = r->step_count;

	if (n && r->steps[n - 1].step == STEP_NULL)
		n--;
	out_json_key(o, "steps");
	out_char(o, '[');
	for (size_t i = 0; i < n; i++) {
		comma(o, i);
		step(o, &r->steps[i]);
	}
	out_char(o, ']');
	out_json_key(o, "outside_steps");
	if (n < r->step_count)
		step(o, &r->steps[n]);
	else
		out_text(o, "null");
}

static void kernels(struct out *o, const struct report *r)
{
	out_json_key(o, "kernels");
	out_char(o, '[');
	for (size_t i = 0; i < r->kernel_count && i < KERNELS_SHOWN; i++) {
		const struct kernel_row *k = &r->kernels[i];

		comma(o, i);
		out_text(o, "{\"name\":");
		out_json(o, k->name);
		out_json_key(o, "kind");
		out_json(o, kind_words[k->kind]);
		out_json_number(o, "count", k->count);
		out_json_number(o, "host_ns", k->host_ns);
		out_json_number(o, "device_ns", k->device_ns);
		out_json_number(o, "timed", k->timed);
		out_char(o, '}');
	}
	out_char(o, ']');
	out_json_number(o, "kernel_names", r->kernel_count);
	shaped_json(o, r);
}

static void copies(struct out *o, const struct report *r)
{
	bool first = true;

	out_json_key(o, "copies");
	out_char(o, '{');
	for (size_t i = 0; i < DIR_COUNT; i++) {
		const struct copy_row *c = &r->copies[i];

		if (!c->count)
			continue;
		comma(o, !first);
		first = false;
		out_json(o, i ? direction_words[i] : "unknown");
		out_text(o, ":{\"count\":");
		out_u64(o, c->count);
		out_json_number(o, "bytes", c->bytes);
		out_json_number(o, "ns", c->timed ? c->device_ns : c->host_ns);
		out_json_number(o, "host_ns", c->host_ns);
		out_json_number(o, "device_ns", c->device_ns);
		out_char(o, '}');
	}
	out_char(o, '}');
}

static void memory_sum(struct out *o, const struct memory_sum *m)
{
	out_text(o, "{\"allocations\":");
	out_u64(o, m->allocations);
	out_json_number(o, "frees", m->frees);
	out_json_number(o, "bytes", m->bytes);
	out_json_number(o, "peak_bytes", m->peak_bytes);
	out_json_number(o, "unfreed", m->unfreed);
	out_json_number(o, "unfreed_bytes", m->unfreed_bytes);
}

static void memory(struct out *o, const struct report *r)
{
	out_json_key(o, "memory");
	memory_sum(o, &r->memory);
	for (unsigned int i = 0; i < PLACES; i++) {
		out_json_key(o, place_words[i]);
		memory_sum(o, &r->places[i]);
		out_char(o, '}');
	}
	out_char(o, '}');
}

static void lost(struct out *o, const struct report *r)
{
	out_text(o, ",\"lost\":{\"anything\":");
	out_text(o, r->lost || r->unreadable ? "true" : "false");
	out_json_number(o, "missing_chunks", r->loss.missing_chunks);
	out_json_number(o, "bad_chunks", r->loss.bad_chunks);
	out_json_number(o, "skipped_bytes", r->loss.skipped_bytes);
	out_json_number(o, "tail_bytes", r->loss.tail_bytes);
	out_json_number(o, "slots", r->lost_slots);
	out_json_number(o, "unknown_chunks", r->loss.unknown_chunks);
	out_char(o, '}');
}

static void unrecorded(struct out *o, const struct report *r)
{
	const size_t skip = strlen("unrecorded.");
	bool first = true;

	out_json_key(o, "unrecorded");
	out_char(o, '{');
	for (size_t i = 0; i < r->facts.count; i++) {
		const struct key_value *f = &r->facts.list[i];

		if (strncmp(f->key, "unrecorded.", skip))
			continue;
		comma(o, !first);
		first = false;
		out_json(o, f->key + skip);
		out_char(o, ':');
		out_u64(o, key_values_number(&r->facts, f->key, 0));
	}
	out_char(o, '}');
}

static void libraries(struct out *o, const struct report *r)
{
	bool first = true;

	out_json_key(o, "libraries");
	out_char(o, '[');
	for (size_t i = 0; i < r->facts.count; i++) {
		if (strcmp(r->facts.list[i].key, "library"))
			continue;
		comma(o, !first);
		first = false;
		out_json(o, r->facts.list[i].value);
	}
	out_char(o, ']');
}

/* All the rest that the agent wrote, known to us or not. */
static void facts(struct out *o, const struct report *r)
{
	bool first = true;

	out_json_key(o, "facts");
	out_char(o, '{');
	for (size_t i = 0; i < r->facts.count; i++) {
		const struct key_value *f = &r->facts.list[i];

		if (!strncmp(f->key, "unrecorded.", strlen("unrecorded.")) ||
		    !strcmp(f->key, "library"))
			continue;
		comma(o, !first);
		first = false;
		out_json(o, f->key);
		out_char(o, ':');
		out_json(o, f->value);
	}
	out_char(o, '}');
}

static void time_sources(struct out *o, const struct report *r)
{
	out_json_key(o, "time_sources");
	out_char(o, '{');
	for (size_t i = 0; i < r->source_count; i++) {
		comma(o, i);
		out_json(o, r->sources[i].name);
		out_char(o, ':');
		out_u64(o, r->sources[i].count);
	}
	out_char(o, '}');
}

static void process(struct out *o, const struct report *r)
{
	const char *cause = key_values_get(&r->facts, "cause");

	identity(o, r);
	events(o, r);
	entry_points(o, r);
	failures_json(o, r);
	steps(o, r);
	out_json_number(o, "files", r->files);
	kernels(o, r);
	copies(o, r);
	ranges_json(o, r);
	memory(o, r);
	allocators_json(o, r);
	lost(o, r);
	out_json_number(o, "device_times", r->timed);
	time_sources(o, r);
	out_json_number(o, "untimed", key_values_number(&r->facts, "untimed", 0));
	unrecorded(o, r);
	libraries(o, r);
	fact(o, r, "cause");
	truth(o, "max_size_reached", cause && !strcmp(cause, "max-size-reached"));
	facts(o, r);
	out_char(o, '}');
}

void report_json(struct out *o, const struct report *reports, size_t count)
{
	out_text(o, "{\"ranks\":[");
	for (size_t i = 0; i < count; i++) {
		out_text(o, i ? ",\n" : "\n");
		process(o, &reports[i]);
	}
	out_text(o, "\n]}\n");
}
