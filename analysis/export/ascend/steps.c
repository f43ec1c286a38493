#include "analysis/export/ascend/steps.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/sorted.h"

static int by_begin(const void *a, const void *b)
{
	const struct ascend_stretch *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

static uint64_t step_number(struct ascend_steps *s, int64_t step)
{
	for (size_t i = s->count; i--;)
		if (s->list[i].step == step)
			return i;
	if (s->count == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 16;
		s->list = alloc_grow(s->list, s->capacity, sizeof(*s->list));
	}
	s->list[s->count] = (struct ascend_step){ .step = step };
	return s->count++;
}

static void add_epoch(struct ascend_steps *s, struct process *p, const struct def_epoch *def)
{
	struct ascend_stretch stretch = {
		.begin = process_time(p, def->begin),
		.end = def->end ? process_time(p, def->end) : UINT64_MAX,
		.step = def->step == STEP_NULL ? UINT64_MAX : step_number(s, def->step),
	};

	if (stretch.end < stretch.begin) /* a broken file says so */
		stretch.end = stretch.begin;

	if (s->stretch_count == s->stretch_capacity) {
		s->stretch_capacity = s->stretch_capacity ? 2 * s->stretch_capacity : 64;
		s->stretches = alloc_grow(s->stretches, s->stretch_capacity, sizeof(*s->stretches));
	}
	s->stretches[s->stretch_count++] = stretch;
}

/* Epochs follow each other without a gap as long as a window is open; those of one step are one stretch then. */
static void join_stretches(struct ascend_steps *s)
{
	size_t kept = 0;

	if (!s->stretch_count)
		return;
	qsort(s->stretches, s->stretch_count, sizeof(*s->stretches), by_begin);
	for (size_t i = 1; i < s->stretch_count; i++) {
		struct ascend_stretch *last = &s->stretches[kept], *one = &s->stretches[i];

		if (last->end > one->begin)
			last->end = one->begin;
		if (last->end == one->begin && last->step == one->step)
			last->end = one->end;
		else
			s->stretches[++kept] = *one;
	}
	s->stretch_count = kept + 1;
}

void ascend_steps_begin(struct ascend_steps *s, struct process *p, const struct choice *choice)
{
	*s = (struct ascend_steps){ 0 };
	for (size_t i = 0; i < p->defs.epochs.count; i++) {
		const struct def_epoch *def = table_item(&p->defs.epochs, i);

		if (def->begin && choice_has_place(choice, def->step, table_find(&p->defs.places, p->defs.epochs.keys[i])))
			add_epoch(s, p, def);
	}
	join_stretches(s);
}

static struct ascend_step *find_step(const struct ascend_steps *s, int64_t step)
{
	if (step == STEP_NULL) /* none of the list, which may be long */
		return NULL;
	for (size_t i = s->count; i--;)
		if (s->list[i].step == step)
			return &s->list[i];
	return NULL;
}

void ascend_steps_recorded(struct ascend_steps *s, int64_t step)
{
	s->calling = find_step(s, step);
	if (s->calling)
		s->calling->recorded = true;
}

void ascend_steps_timed(struct ascend_steps *s, int64_t step)
{
	if (!s->timing || s->timing->step != step)
		s->timing = find_step(s, step);
	if (s->timing)
		s->timing->timed = true;
}

void ascend_steps_limit(struct ascend_steps *s, uint64_t first, uint64_t last)
{
	for (size_t i = 0; i < s->stretch_count; i++) {
		struct ascend_stretch *stretch = &s->stretches[i];
		struct ascend_step *step = stretch->step == UINT64_MAX ? NULL : &s->list[stretch->step];

		if (stretch->begin >= last || stretch->end <= first || !step || !step->recorded)
			continue;
		if (stretch->end == UINT64_MAX)
			stretch->end = last;
		if (!step->seen)
			step->begin = stretch->begin;
		step->end = stretch->end;
		step->seen = true;
	}
}

const struct ascend_stretch *ascend_steps_stretch(const struct ascend_steps *s, uint64_t ns)
{
	size_t begun = SORTED_UP_TO(ns, s->stretches, begin, s->stretch_count);

	return begun && s->stretches[begun - 1].end > ns ? &s->stretches[begun - 1] : NULL;
}

struct ascend_step *ascend_steps_at(struct ascend_steps *s, uint64_t ns)
{
	const struct ascend_stretch *stretch = ascend_steps_stretch(s, ns);

	return stretch && stretch->step != UINT64_MAX ? &s->list[stretch->step] : NULL;
}

void ascend_steps_free(struct ascend_steps *s)
{
	free(s->list);
	free(s->stretches);
}
