/* run_state.c - `ranktrace check`: what was recorded, what is missing and why, and what processes that run are about. */
#include "analysis/check/run_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/format/causes.h"
#include "analysis/check/explain.h"
#include "analysis/check/heard.h"
#include "analysis/run/asked_steps.h"
#include "analysis/run/run_totals.h"
#include "analysis/util/alloc.h"
#include "analysis/util/rank_list.h"
#include "config/base/printable.h"

/* "processes 12, 40", or "ranks 0, 1" */
static char *recorders(const struct run *r, bool by_rank)
{
	struct rank_of_group *ranks = alloc_zero(r->count, sizeof(*ranks));
	int64_t *pids = alloc_zero(r->count, sizeof(*pids));
	bool groups = run_has_groups(r);
	size_t count = 0;
	char *text;

	for (unsigned int i = 0; i < r->count; i++) {
		const struct run_process *p = &r->processes[i];

		if (!p->kept)
			continue;
		pids[count] = p->pid;
		ranks[count++] = (struct rank_of_group){ p->rank, groups ? p->worker_group : "" };
	}
	text = by_rank ? rank_list_of_groups(ranks, count) : rank_list("process", pids, count);
	free(ranks);
	free(pids);
	make_printable(text);
	return text;
}

/* "recorded 12 events of ranks 0, 1" */
static void say_recorded(const struct run *r)
{
	struct run_totals t = run_totals(r);
	char *text;

	if (t.stages_alone)
		printf("recorded stages of %u process%s that called no hooked function\n", t.stages_alone, t.stages_alone == 1 ? "" : "es");
	if (!t.recorders)
		return;
	text = recorders(r, t.all_ranked);
	printf("recorded %" PRId64 " event%s of %s\n", t.kept, t.kept == 1 ? "" : "s", text);
	free(text);
}

/* What a process that runs is about, or waits for. */
static void say_state(const struct run *r, const struct run_process *p)
{
	char steps[1024];

	asked_steps_text(&r->asked, steps, sizeof(steps));
	if (p->stale)
		printf("process %" PRId64 " of %s was %s when ranktrace-run ended: what it does now cannot be seen from here\n", p->pid,
		       p->host, p->state);
	else if (!strcmp(p->state, "recording"))
		printf("process %" PRId64 " is recording\n", p->pid);
	else if (strcmp(p->state, "dormant") || !*steps || strcmp(p->cause, session_cause_word(CAUSE_NONE)))
		return;
	else if (!p->boundaries)
		printf("process %" PRId64 " waits for steps %s: no step source has fired yet\n", p->pid, steps);
	else if (p->windows && !asked_steps_after(&r->asked, p->last_step))
		printf("process %" PRId64 " has recorded steps %s, and runs on\n", p->pid, steps);
	else
		printf("process %" PRId64 " waits for steps %s: it is in step %" PRId64 ", counted by %s\n", p->pid, steps, p->last_step,
		       p->step_source);
}

bool run_state_say(const struct run *r, bool sources)
{
	unsigned int causes;

	say_recorded(r);
	fflush(stdout);
	causes = explain(r, stdout, "");
	for (unsigned int i = 0; i < r->count; i++)
		say_state(r, &r->processes[i]);
	if (sources)
		heard_say(r);
	return !causes;
}
