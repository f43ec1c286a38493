/* csv.c - tables for pandas and SQL: one for each kind of event, and those that their numbers lead to. */
#include <stdlib.h>

#include "analysis/export/csv/columns.h"
#include "analysis/export/device_steps.h"
#include "analysis/export/limits.h"
#include "analysis/trace/operators.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"

/* The tables beside those of events, and their columns. */
#define TABLES(TABLE_OF)                                                                                     \
	TABLE_OF(processes, "process,rank,host,pid,job,command,files,missing,worker_group\n")                \
	TABLE_OF(steps, "process,rank,step,role,occurrence,mini,micro,begin_ns,end_ns\n")                    \
	TABLE_OF(stages, "process,rank,step,role,occurrence,begin_ns,end_ns\n")                              \
	TABLE_OF(device_times, "process,rank,id,step,kind,name,kernel,stream,begin_ns,duration_ns,source\n") \
	TABLE_OF(pieces, "process,rank,freed,domain,address,bytes,ns\n")                                     \
	TABLE_OF(dropped, "process,rank,tid,first_step,last_step,begin_ns,end_ns,calls\n")

enum table_number {
#define TABLE_OF(name, head) TABLE_##name,
	TABLES(TABLE_OF)
#undef TABLE_OF
		TABLE_COUNT
};

static const struct {
	const char *name, *head;
} tables[TABLE_COUNT] = {
#define TABLE_OF(name, head) { #name, head },
	TABLES(TABLE_OF)
#undef TABLE_OF
};

struct csv {
	uint64_t process; /* its number in the trace, from 1 */
	struct out *of_kind[EV_KINDS + 1], *of[TABLE_COUNT];
	struct operators operators;
	struct device_steps steps;
	struct sorter devices; /* struct trace_device by begin */
};

static struct out *open_table(struct export *e, const char *name, const char *head)
{
	char *file = alloc_format("%s.csv", name);
	struct out *o = destination_table(e->to, file, head);

	free(file);
	return o;
}

static struct out *table_of_kind(struct export *e, enum event_kind kind)
{
	struct csv *c = e->own;

	if (!c->of_kind[kind]) {
		char *head = csv_head(kind);

		c->of_kind[kind] = open_table(e, kind < EV_KINDS ? kind_words[kind] : "unknown", head);
		free(head);
	}
	return c->of_kind[kind];
}

/* ---- lines ---- */

static void comma_number(struct out *o, int64_t n, int64_t unknown)
{
	out_char(o, ',');
	if (n != unknown)
		out_i64(o, n);
}

static void comma_text(struct out *o, const char *text)
{
	out_char(o, ',');
	out_csv(o, text);
}

/* A line of a table begins: which process it is of, and which rank. stream: 0 if it has none. */
static struct out *begin_line(struct export *e, enum table_number number, const struct process *p, uint16_t stream)
{
	struct csv *c = e->own;
	struct out *o = c->of[number];
	int64_t rank;

	if (!o)
		o = c->of[number] = open_table(e, tables[number].name, tables[number].head);
	out_u64(o, c->process);
	comma_number(o, trace_rank_on(p, stream, &rank) ? rank : -1, -1);
	return o;
}

static void comma_stage(struct out *o, const struct stage *stage)
{
	comma_text(o, stage ? stage->role : NULL);
	comma_number(o, stage ? (int64_t)stage->def.occurrence : -1, -1);
}

static void comma_span(struct out *o, struct process *p, uint64_t begin, uint64_t end)
{
	comma_number(o, begin ? (int64_t)process_time(p, begin) : 0, 0);
	comma_number(o, end ? (int64_t)process_time(p, end) : 0, 0);
	out_char(o, '\n');
}

static void put_process(struct export *e, const struct process *p)
{
	const char *run_command = process_fact(p, "run_command");
	struct out *o = begin_line(e, TABLE_processes, p, 0);
	char missing[MISSING_ROOM];

	process_missing(p, missing, sizeof(missing));
	comma_text(o, process_fact(p, "host"));
	comma_number(o, (int64_t)p->pid, -1);
	comma_text(o, process_fact(p, "job"));
	comma_text(o, *run_command ? run_command : process_fact(p, "command"));
	comma_number(o, (int64_t)p->file_count, -1);
	comma_text(o, missing);
	comma_text(o, process_fact(p, "worker_group"));
	out_char(o, '\n');
}

static void put_steps(struct export *e, struct process *p)
{
	for (size_t i = 0; i < p->defs.epochs.count; i++) {
		const struct def_epoch *def = table_item(&p->defs.epochs, i);
		const struct step_place *place = table_find(&p->defs.places, p->defs.epochs.keys[i]);
		struct out *o;

		if (!choice_has_place(e->choice, def->step, place))
			continue;
		o = begin_line(e, TABLE_steps, p, 0);
		comma_number(o, def->step, STEP_NULL);
		comma_stage(o, place ? place->stage : NULL);
		comma_number(o, place ? place->def.mini : -1, -1);
		comma_number(o, place ? place->def.micro : -1, -1);
		comma_span(o, p, def->begin, def->end);
	}
}

static void put_stages(struct export *e, struct process *p)
{
	for (size_t i = 0; i < p->defs.stages.count; i++) {
		const struct stage *stage = table_item(&p->defs.stages, i);
		struct out *o;

		if (!choice_has_step(e->choice, stage->def.step) || !choice_has_stage(e->choice, stage))
			continue;
		o = begin_line(e, TABLE_stages, p, 0);
		comma_number(o, stage->def.step, STEP_NULL);
		comma_stage(o, stage);
		comma_span(o, p, stage->def.begin, stage->def.end);
	}
}

static void put_event(struct export *e, const struct trace_event *ev)
{
	struct csv *c = e->own;
	struct csv_row row = { .event = ev, .process = c->process, .operator= operators_around(&c->operators, ev) };

	if (e->has_turn)
		csv_line(table_of_kind(e, ev->kind), &row);
}

/* ---- in the order of the files ---- */

static void take_step(void *context, uint32_t ring, uint64_t position, uint32_t epoch)
{
	struct export *e = context;
	struct csv *c = e->own;

	device_steps_take(&c->steps, e, ring, position, epoch);
}

static void take_event(void *context, const struct trace_event *ev)
{
	struct csv *c = ((struct export *)context)->own;

	device_steps_pass(&c->steps, ev);
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct csv *c = ((struct export *)context)->own;

	sorter_push(&c->devices, dev->begin_ns, UINT64_MAX - dev->duration_ns, dev);
}

/* By then its call has been read. */
static void put_device(void *context, const void *item)
{
	const struct trace_device *dev = item;
	struct export *e = context;
	struct csv *c = e->own;
	int64_t step = device_steps_of(&c->steps, e, dev);
	struct out *o;

	if (step == STEP_LEFT_OUT || !e->has_turn)
		return;
	o = begin_line(e, TABLE_device_times, dev->process, dev->stream);
	comma_number(o, (int64_t)csv_id(dev->ring, dev->slot), -1);
	comma_number(o, step, STEP_NULL);
	comma_text(o, kind_words[dev->kind]);
	comma_text(o, dev->name);
	comma_text(o, dev->launch ? dev->launch->name : NULL);
	comma_number(o, dev->stream, 0);
	comma_number(o, (int64_t)dev->begin_ns, -1);
	comma_number(o, (int64_t)dev->duration_ns, -1);
	comma_text(o, trace_time_source(dev->process, dev->stream));
	out_char(o, '\n');
}

/* Of no step that is known. */
static void take_piece(void *context, const struct trace_piece *piece)
{
	struct export *e = context;
	struct csv *c = e->own;
	struct out *o;

	if (!choice_has_place(e->choice, STEP_NULL, NULL) || !e->has_turn)
		return;
	o = begin_line(e, TABLE_pieces, c->steps.process, 0);
	comma_number(o, piece->is_free, -1);
	comma_text(o, piece->pool ? piece->pool->domain : NULL);
	out_char(o, ',');
	out_hex(o, piece->address);
	comma_number(o, (int64_t)piece->bytes, -1);
	comma_number(o, (int64_t)piece->ns, -1);
	out_char(o, '\n');
}

static void take_lost(void *context, const struct trace_lost *lost)
{
	struct export *e = context;
	struct out *o;

	if (!choice_has_lost(e->choice, lost) || !e->has_turn)
		return;
	o = begin_line(e, TABLE_dropped, lost->process, 0);
	comma_number(o, lost->tid, -1);
	comma_number(o, lost->first_step, STEP_NULL);
	comma_number(o, lost->last_step, STEP_NULL);
	comma_number(o, (int64_t)lost->begin_ns, -1);
	comma_number(o, (int64_t)lost->end_ns, -1);
	comma_number(o, (int64_t)lost->calls, -1);
	out_char(o, '\n');
}

/* ---- a process, and all of them ---- */

static void begin_process(struct export *e, struct process *p)
{
	struct csv *c = e->own;

	c->process = (uint64_t)(p - e->trace->processes) + 1;
	c->operators = OPERATORS;
	device_steps_begin(&c->steps, p);
	if (!e->has_turn)
		return;
	put_steps(e, p);
	put_stages(e, p);
}

static void end_process(struct export *e, struct process *p)
{
	struct csv *c = e->own;

	sorter_flush(&c->devices);
	if (e->has_turn)
		put_process(e, p);
	device_steps_end(&c->steps, e);
	operators_free(&c->operators);
}

static void begin(struct export *e)
{
	struct csv *c = e->own = alloc_zero(1, sizeof(*c));

	sorter_init(&c->devices, sizeof(struct trace_device), SORTER_WINDOW, put_device, e);
}

/* Whoever puts a line looks. */
static void turn(struct export *e)
{
	(void)e;
}

static void end(struct export *e)
{
	sorter_free(&((struct csv *)e->own)->devices);
	free(e->own);
}

const struct exporter csv_exporter = {
	.apart = true,
	.may_be_packed = true,
	.limit = LIMIT_CSV,
	.begin = begin,
	.process = begin_process,
	.event = put_event,
	.visitor = { .event = take_event, .device = take_device, .piece = take_piece, .lost = take_lost, .step = take_step },
	.process_end = end_process,
	.end = end,
	.turn = turn,
};
