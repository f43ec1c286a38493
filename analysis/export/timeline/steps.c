#include "analysis/export/timeline/steps.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/export/timeline/categories.h"

/* A step, as wide as its epochs say or else its events. */
struct span_of_step {
	int64_t step;
	uint64_t begin, end;
	bool ended;
};

void step_track_begin(struct step_track *t)
{
	t->steps = TABLE(struct span_of_step);
}

void step_track_take(struct step_track *t, struct process *p, const struct trace_event *ev)
{
	uint64_t end = ev->begin_ns + ev->duration_ns;
	struct span_of_step *s;

	if (ev->step == STEP_NULL)
		return;
	s = table_put(&t->steps, ev->epoch);
	if (!s->begin) {
		const struct def_epoch *def = table_find(&p->defs.epochs, ev->epoch);

		s->step = ev->step;
		s->begin = def && def->begin ? process_time(p, def->begin) : ev->begin_ns;
		s->ended = def && def->end;
		s->end = s->ended ? process_time(p, def->end) : 0;
	}
	if (!s->ended && end > s->end)
		s->end = end;
}

static int by_begin(const void *a, const void *b)
{
	const struct span_of_step *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* What follows another epoch of the same step is one with it. Returns how many are left. */
static size_t join(struct span_of_step *list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (!kept || list[kept - 1].step != list[i].step)
			list[kept++] = list[i];
		else if (list[i].end > list[kept - 1].end)
			list[kept - 1].end = list[i].end;
	}
	return kept;
}

/* msprof-analyze takes a step that begins when another ends for a part of that one: it ends a nanosecond before. */
static void put_steps(const struct span_of_step *list, size_t count, struct line_writer *writer, uint32_t pid)
{
	uint32_t track = line_track(writer, pid, "steps", -1);
	char title[32];

	for (size_t i = 0; i < count; i++) {
		uint64_t end = list[i].end;

		if (i + 1 < count && end >= list[i + 1].begin)
			end = list[i + 1].begin - 1;
		if (end < list[i].begin)
			end = list[i].begin;
		snprintf(title, sizeof(title), "ProfilerStep#%lld", (long long)list[i].step);
		line_passing_slice(writer, pid, track, title, ANNOTATION, list[i].begin, end - list[i].begin);
		line_step(writer, list[i].step);
		writer->format->close(writer);
	}
}

/* Those in which nothing was called, of steps in which something was. */
static void add_empty_epochs(struct step_track *t, struct process *p)
{
	struct table seen = TABLE(bool);

	for (size_t i = 0; i < t->steps.count; i++)
		table_put(&seen, (uint64_t)((struct span_of_step *)table_item(&t->steps, i))->step);
	for (size_t i = 0; i < p->defs.epochs.count; i++) {
		const struct def_epoch *def = table_item(&p->defs.epochs, i);
		uint64_t epoch = p->defs.epochs.keys[i];

		if (!def->begin || !def->end || !table_find(&seen, (uint64_t)def->step) || table_find(&t->steps, epoch))
			continue;
		*(struct span_of_step *)table_put(&t->steps, epoch) =
			(struct span_of_step){ def->step, process_time(p, def->begin), process_time(p, def->end), true };
	}
	table_free(&seen);
}

void step_track_end(struct step_track *t, struct process *p, struct line_writer *writer, uint32_t pid)
{
	struct span_of_step *list;
	size_t count;

	if (p->defs.places.count)
		add_empty_epochs(t, p);
	list = table_hand_over(&t->steps, &count, by_begin);
	if (count)
		put_steps(list, join(list, count), writer, pid);
	free(list);
}
