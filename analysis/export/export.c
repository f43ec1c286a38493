/* export.c - process by process, in memory of a fixed size. */
#include "analysis/export/export.h"

#include <stdlib.h>

#include "analysis/export/shares.h"
#include "analysis/export/side_by_side.h"
#include "analysis/export/tally.h"

static void take_event(void *context, const struct trace_event *ev)
{
	struct export *e = context;

	export_tally_event(e);
	if (e->exporter->visitor.event)
		e->exporter->visitor.event(e, ev);
	if (!choice_has_place(e->choice, ev->step, ev->place) || !choice_has_device_of(e->choice, ev) || !export_wants_kind(e, ev->kind))
		return;
	if (e->exporter->event)
		sorter_push(&e->sorter, ev->begin_ns, UINT64_MAX - ev->duration_ns, ev);
	else
		e->events++;
}

/* Of several parts of a process each has its turn once. */
static void take_turn(struct export *e)
{
	bool has = e->turn >= e->turn_begins && e->turn < e->turn_ends;

	e->turn++;
	if (has == e->has_turn)
		return;
	e->has_turn = has;
	e->exporter->turn(e);
}

static void begin_turns(struct export *e, const struct process *p)
{
	const struct share *s = e->share;
	uint64_t events = 0;

	for (size_t i = 0; i < p->file_count; i++)
		events += p->files[i].kept;
	e->turn = 0;
	e->turn_begins = events * s->part / s->parts;
	e->turn_ends = s->part + 1 < s->parts ? events * (s->part + 1) / s->parts : UINT64_MAX;
	e->has_turn = !s->part;
}

static void put_event(void *context, const void *item)
{
	struct export *e = context;

	take_turn(e);
	e->events += e->has_turn;
	e->exporter->event(e, item);
}

static void count_stages(struct export *e, const struct process *p)
{
	for (size_t i = 0; i < p->defs.stages.count; i++) {
		const struct stage *stage = table_item(&p->defs.stages, i);

		e->stages += choice_has_step(e->choice, stage->def.step) && choice_has_stage(e->choice, stage);
	}
}

static void export_events(struct export *e, struct process *p)
{
	const struct exporter *x = e->exporter;
	struct visitor v = x->visitor;

	v.event = take_event;
	v.context = e;
	begin_turns(e, p);
	if (x->process)
		x->process(e, p);
	if (export_by_window(e))
		process_events_of(p, e->window, &v);
	else
		process_events(p, &v);
	sorter_flush(&e->sorter);
	if (x->process_end)
		x->process_end(e, p);
}

static void export_windows(struct export *e, struct process *p)
{
	size_t end = export_by_window(e) ? e->share->end : 1;

	for (e->window = e->share->begin; e->window < end; e->window++)
		export_events(e, p);
	if (share_is_first(e->share))
		count_stages(e, p);
}

/* The only file may be another process's, whose fork we are. */
static void end_piece(struct export *e)
{
	if (e->out)
		out_end_piece(e->out);
	if (e->to)
		destination_end_piece(e->to);
}

/* A file that several share goes on. */
static void begin_piece(struct export *e)
{
	if (e->not_first && e->out && e->exporter->between && share_is_first(e->share))
		out_text(e->out, e->exporter->between);
	e->not_first = true;
	end_piece(e);
}

static struct exported export_process(struct export *e, struct process *p)
{
	bool readable = !process_load(p);
	struct exported done = { .whole = true };

	/* A rank may be told only at the end of a file. */
	if (choice_has_process(e->choice, p)) {
		begin_piece(e);
		e->events = e->stages = 0;
		e->any = false;
		if (readable)
			export_windows(e, p);
		end_piece(e);
		done = (struct exported){ .wanted = true, .ranks = share_is_first(e->share), .events = e->events, .stages = e->stages, .any = e->any };
		done.torn = process_lost(p) || process_dropped(p);
		done.whole = readable && !done.torn;
	}
	process_unload(p);
	return done;
}

static struct exported export_number(struct export *e, size_t number)
{
	struct exported done;

	e->share = &e->shares[number];
	e->tally = &e->tallies[number];
	done = export_process(e, e->share->process);
	e->tally->over = true;
	return done;
}

static struct exported one_by_one(struct export *e)
{
	struct exported sum = { .whole = true }, done;

	for (size_t i = 0; i < e->share_count && (!e->to || destination_is_well(e->to)); i++) {
		done = export_number(e, i);
		exported_add(&sum, &done);
	}
	return sum;
}

/* The process that is all of what was asked for; NULL: there are several, or it may turn out so. */
static const struct process *only_one(const struct export *e)
{
	const struct process *found = NULL;

	for (size_t i = 0; i < e->all->count; i++) {
		const struct process *p = &e->all->processes[i];

		if (p->has_rank && !choice_has_rank(e->choice, true, p->rank))
			continue;
		if (found)
			return NULL;
		found = p;
	}
	return found;
}

struct exported export_trace(const struct exporter *exporter, const struct export *wanted, struct trace *t)
{
	struct export e = *wanted;
	struct exported done;

	e.exporter = exporter;
	e.all = t;
	e.only = only_one(&e);
	if (!exporter->apart || !e.to || !destination_takes_pieces(e.to))
		e.jobs = 1;
	e.shares = shares_make(&e, &e.share_count);
	export_tallies_begin(&e);
	sorter_init(&e.sorter, sizeof(struct trace_event), SORTER_WINDOW, put_event, &e);
	if (exporter->begin)
		exporter->begin(&e);
	if (e.share_count > 1 && e.jobs > 1)
		done = side_by_side(&e, e.share_count, export_number, export_tallies_show);
	else
		done = one_by_one(&e);
	e.begun = e.jobs > 1 && e.share_count > 1 && done.ranks;
	if (exporter->end)
		exporter->end(&e);
	sorter_free(&e.sorter);
	export_tallies_end(&e, done.events, !e.to || destination_is_well(e.to));
	free(e.shares);
	done.whole &= !t->trouble;
	return done;
}
