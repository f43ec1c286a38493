/* export.c - process by process, in memory of a fixed size. */
#include "analysis/export/export.h"

#include "analysis/util/progress.h"

static void take_event(void *context, const struct trace_event *ev)
{
	struct export *e = context;

	if (e->exporter->visitor.event)
		e->exporter->visitor.event(e, ev);
	if (!choice_has_place(e->choice, ev->step, ev->place) || !export_wants_kind(e, ev->kind))
		return;
	e->events++;
	if (e->exporter->event)
		sorter_push(&e->sorter, ev->begin_ns, UINT64_MAX - ev->duration_ns, ev);
}

static void put_event(void *context, const void *item)
{
	struct export *e = context;

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
	size_t count = export_by_window(e) ? p->file_count : 1;

	for (e->window = 0; e->window < count; e->window++)
		export_events(e, p);
	count_stages(e, p);
}

static void export_process(struct export *e, struct process *p, struct exported *done)
{
	bool readable = !process_load(p);

	/* A rank may be told only at the end of a file. */
	if (!choice_has_rank(e->choice, p->has_rank, p->rank)) {
		process_unload(p);
		return;
	}
	if (done->ranks++ && e->out && e->exporter->between)
		out_text(e->out, e->exporter->between);
	if (readable)
		export_windows(e, p);
	done->whole &= readable && !process_lost(p) && !process_dropped(p);
	process_unload(p);
}

struct exported export_trace(const struct exporter *exporter, const struct export *wanted, struct trace *t)
{
	struct export e = *wanted;
	struct exported done = { .whole = !t->trouble };

	e.exporter = exporter;
	sorter_init(&e.sorter, sizeof(struct trace_event), SORTER_WINDOW, put_event, &e);
	if (exporter->begin)
		exporter->begin(&e);
	for (size_t i = 0; i < t->count && (!e.to || destination_is_well(e.to)); i++) {
		progress("export", i, t->count);
		export_process(&e, &t->processes[i], &done);
	}
	progress_end();
	if (exporter->end)
		exporter->end(&e);
	sorter_free(&e.sorter);
	done.events = e.events;
	done.stages = e.stages;
	return done;
}
