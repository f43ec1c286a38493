/* line_text.c - one event as columns; docs/output.md is the contract. */
#include "analysis/dump/line.h"

#include <string.h>

#include "analysis/dump/line_parts.h"
#include "analysis/dump/line_stack.h"
#include "analysis/trace/event_fields.h"
#include "analysis/trace/graphs.h"
#include "analysis/trace/shapes.h"
#include "analysis/trace/words.h"

struct digits {
	char text[32];
};

static const char *integer(struct digits *f, int64_t n)
{
	uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
	char *p = f->text + sizeof(f->text);

	*--p = '\0';
	do
		*--p = (char)('0' + rest % 10);
	while (rest /= 10);
	if (n < 0)
		*--p = '-';
	return p;
}

static void right(struct out *o, const char *text, size_t width)
{
	size_t n = strlen(text);

	out_pad(o, n < width ? width - n : 0);
	out_bytes(o, text, n);
	out_char(o, ' ');
}

static void left(struct out *o, const char *text, size_t width)
{
	size_t n = strlen(text);

	out_utf8(o, text);
	out_pad(o, n < width ? width - n + 1 : 1);
}

/* Microseconds with three decimals, right-aligned. */
static void micro(struct out *o, uint64_t ns, size_t width)
{
	struct digits f;
	size_t n = strlen(integer(&f, (int64_t)(ns / 1000))) + 4;

	out_pad(o, n < width ? width - n : 0);
	out_micro(o, ns);
	out_char(o, ' ');
}

static void seconds(struct out *o, uint64_t ns)
{
	uint64_t rest = ns % 1000000000u;

	out_u64(o, ns / 1000000000u);
	out_char(o, '.');
	out_digits(o, rest, 9);
	out_char(o, ' ');
}

static void detail(struct out *o, const char *name, uint64_t n)
{
	out_char(o, ' ');
	out_text(o, name);
	out_char(o, '=');
	out_u64(o, n);
}

static void detail_hex(struct out *o, const char *name, uint64_t n)
{
	if (!n)
		return;
	out_char(o, ' ');
	out_text(o, name);
	out_char(o, '=');
	out_hex(o, n);
}

static void detail_field(struct out *o, const struct field *field)
{
	out_char(o, ' ');
	out_text(o, field->key);
	out_char(o, '=');
	if (field->text)
		out_utf8(o, field->text);
	else
		out_i64(o, field->number);
}

static void detail_place(struct out *o, const struct step_place *place)
{
	struct field fields[PLACE_FIELDS_MAX];
	size_t n = event_fields_of_place(place, fields);

	for (size_t i = 0; i < n; i++)
		detail_field(o, &fields[i]);
}

static void detail_launch(struct out *o, const struct launch *launch)
{
	if (!launch)
		return;
	if (launch->name) {
		out_text(o, " kernel=");
		out_utf8(o, launch->name);
	}
	if (launch->def.dimensions) {
		out_text(o, " global=");
		dump_line_sizes(o, launch->def.global, launch->def.dimensions, 'x');
	}
	if (launch->def.dimensions && launch->def.has_local) {
		out_text(o, " local=");
		dump_line_sizes(o, launch->def.local, launch->def.dimensions, 'x');
	}
	if (launch->has_shared)
		detail(o, "shared_memory", launch->shared);
	if (launch->graph) {
		detail(o, "nodes", launch->graph->def.nodes);
		out_text(o, " kernels=");
		out_utf8(o, launch->graph->line);
	}
	if (launch->shapes) {
		out_text(o, " shapes=");
		shapes_text(o, launch->shapes);
	}
}

static void details(struct out *o, const struct dump_line *line)
{
	const struct trace_event *ev = line->event;
	const struct device_time *dev = line->device;

	detail_launch(o, ev->launch);
	dump_line_fields(o, ev, detail_field);
	if (event_has_bytes(ev))
		detail(o, "bytes", ev->bytes);
	if (ev->direction) {
		out_text(o, " direction=");
		out_text(o, direction_words[ev->direction]);
	}
	detail_hex(o, "address", ev->address);
	detail_hex(o, "source", ev->source);
	detail_hex(o, "plan", ev->plan);
	if (line->operator) {
		out_text(o, " operator=");
		out_utf8(o, line->operator);
	}
	if (dev) {
		out_text(o, " device_begin=");
		seconds(o, dev->begin_ns);
		out_text(o, "device_us=");
		out_micro(o, dev->duration_ns);
	}
	if (dev && dev->source) {
		out_text(o, " device_source=");
		out_utf8(o, dev->source);
	}
	detail_place(o, ev->place);
	if (ev->nested)
		out_text(o, " nested");
	if (ev->captured)
		out_text(o, " captured");
	dump_stack_text(o, ev);
}

void dump_text_head(struct out *o)
{
	out_text(o, "BEGIN                 DURATION_US  RANK     PID     TID   STEP STREAM RESULT "
		    "KIND         NAME                                             DETAILS\n");
}

struct where {
	bool has_rank;
	int64_t rank;
	uint64_t pid;
	uint32_t tid;
	int64_t step;
};

static void when_and_where(struct out *o, const struct where *where, uint64_t begin_ns, uint64_t duration_ns)
{
	struct digits f;

	seconds(o, begin_ns);
	micro(o, duration_ns, 12);
	right(o, where->has_rank ? integer(&f, where->rank) : "-", 5);
	right(o, integer(&f, (int64_t)where->pid), 7);
	right(o, integer(&f, where->tid), 7);
	right(o, where->step == STEP_NULL ? "-" : integer(&f, where->step), 6);
}

void dump_lost_text(struct out *o, const struct trace_lost *lost)
{
	const struct process *p = lost->process;

	when_and_where(o, &(struct where){ p->has_rank, p->rank, p->pid, lost->tid, lost->first_step }, lost->begin_ns,
		       lost->end_ns - lost->begin_ns);
	right(o, "-", 6);
	right(o, "-", 6);
	left(o, "dropped", 12);
	left(o, "-", 47);
	detail(o, "calls", lost->calls);
	out_char(o, '\n');
}

void dump_text(struct out *o, const struct dump_line *line)
{
	const struct trace_event *ev = line->event;
	struct where where = { .pid = ev->process->pid, .tid = ev->tid, .step = ev->step };
	struct digits f;

	where.has_rank = trace_rank_of(ev, &where.rank);
	when_and_where(o, &where, ev->begin_ns, ev->duration_ns);
	right(o, ev->stream ? integer(&f, ev->stream) : "-", 6);
	right(o, integer(&f, ev->result), 6);
	left(o, kind_words[ev->kind], 12);
	left(o, ev->name, 47);
	details(o, line);
	out_char(o, '\n');
}
