#include "analysis/trace/choice.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/rank_list.h"

bool choice_has_rank(const struct choice *c, bool has_rank, int64_t rank)
{
	return c->ranks.all || (has_rank && selection_has(&c->ranks, rank));
}

void choice_no_rank(const struct trace *t)
{
	int64_t *numbers = alloc_zero(t->count, sizeof(*numbers));
	size_t n = 0;
	char *ranks;

	for (size_t i = 0; i < t->count; i++)
		if (t->processes[i].has_rank)
			numbers[n++] = t->processes[i].rank;
	ranks = rank_list(", but rank", numbers, n);
	fprintf(stderr, "ranktrace: none of the --ranks is in the trace%s\n", n ? ranks : ": no rank is known");
	free(ranks);
	free(numbers);
}

void choice_no_step(int64_t *steps, size_t count)
{
	char *text = rank_list(", but step", steps, count);

	fprintf(stderr, "ranktrace: none of the --steps is in the trace%s\n", count ? text : ": no step source fired");
	free(text);
}

static void take_step(void *context, const struct trace_event *ev)
{
	if (ev->step != STEP_NULL)
		*(int64_t *)table_put(context, (uint64_t)ev->step) = ev->step;
}

void choice_look_for_steps(const struct choice *c, struct trace *t)
{
	struct table steps = TABLE(int64_t);
	struct visitor v = { .event = take_step, .context = &steps };

	for (size_t i = 0; i < t->count; i++) {
		struct process *p = &t->processes[i];

		if (!choice_has_rank(c, p->has_rank, p->rank))
			continue;
		if (!process_load(p))
			process_events(p, &v);
		process_unload(p);
	}
	choice_no_step((int64_t *)steps.items, steps.count);
	table_free(&steps);
}
