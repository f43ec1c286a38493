#include "analysis/run/run_totals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/format/causes.h"
#include "analysis/util/alloc.h"
#include "analysis/util/rank_list.h"
#include "config/base/printable.h"

int run_order(const struct run_process *p, const struct run_process *q)
{
	int order;

	if (p->rank != q->rank)
		return p->rank < q->rank ? -1 : 1;
	order = strcmp(p->worker_group, q->worker_group);
	return order ? order : (p->pid > q->pid) - (p->pid < q->pid);
}

static int by_rank(const void *a, const void *b)
{
	return run_order(*(const struct run_process *const *)a, *(const struct run_process *const *)b);
}

const struct run_process **run_recorders(const struct run *r, size_t *count)
{
	const struct run_process **list = alloc_zero(r->count, sizeof(*list));

	*count = 0;
	for (unsigned int i = 0; i < r->count; i++)
		if (r->processes[i].kept)
			list[(*count)++] = &r->processes[i];
	if (*count)
		qsort(list, *count, sizeof(*list), by_rank);
	return list;
}

bool run_has_stages_alone(const struct run_process *p)
{
	return !p->kept && p->files && p->stages.count && !p->unrecorded_calls && !p->dropped && !p->broken;
}

bool run_is_same_rank(const struct run_process *p, const struct run_process *q)
{
	return p->rank == q->rank && !strcmp(p->worker_group, q->worker_group);
}

bool run_has_groups(const struct run *r)
{
	struct rank_groups groups = { 0 };

	for (unsigned int i = 0; i < r->count; i++)
		if (r->processes[i].rank >= 0)
			rank_groups_take(&groups, r->processes[i].worker_group);
	return groups.several;
}

void run_name_process(const struct run *r, const struct run_process *p, char name[RUN_NAME])
{
	const char *group = run_has_groups(r) ? p->worker_group : "";

	if (p->rank >= 0)
		snprintf(name, RUN_NAME, "rank %" PRId64 "%s%s", p->rank, *group ? " of " : "", group);
	else
		snprintf(name, RUN_NAME, "process %" PRId64, p->pid);
	make_printable(name);
}

bool run_are_duplicates(const struct run_process *p, const struct run_process *q)
{
	return p->rank >= 0 && run_is_same_rank(p, q) && (p->pid != q->pid || strcmp(p->host, q->host));
}

bool run_is_alive(const struct run_process *p)
{
	return !strcmp(p->state, "recording") || !strcmp(p->state, "dormant");
}

bool run_was_cut(const struct run_process *p)
{
	return !strcmp(p->state, "killed") || !strcmp(p->state, "left");
}

unsigned int run_still_record(const struct run *r)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < r->count; i++)
		n += run_is_alive(&r->processes[i]) && !strcmp(r->processes[i].cause, session_cause_word(CAUSE_NONE));
	return n;
}

int64_t run_unselected(const struct run_process *p)
{
	return p->unselected < p->dropped ? p->unselected : p->dropped;
}

bool run_ended_waiting(const struct run_process *p)
{
	return run_was_cut(p) && run_unselected(p) && session_cause_of(p->cause) == CAUSE_NO_RANK;
}

int64_t run_lost(const struct run_process *p)
{
	uint32_t cause = session_cause_of(p->cause);

	return cause == CAUSE_NO_RANK || cause == CAUSE_NOT_SELECTED ? 0 : p->dropped - run_unselected(p);
}

struct run_totals run_totals(const struct run *r)
{
	struct run_totals t = { .all_ranked = true };
	size_t count;
	const struct run_process **list = run_recorders(r, &count);

	for (size_t i = 0; i < count; i++) {
		t.all_ranked &= list[i]->rank >= 0;
		t.ranks += !i || !run_is_same_rank(list[i], list[i - 1]);
		t.duplicates |= i && run_are_duplicates(list[i - 1], list[i]);
	}
	free(list);
	t.recorders = (unsigned int)count;
	for (unsigned int i = 0; i < r->count; i++) {
		t.kept += r->processes[i].kept;
		t.stages_alone += run_has_stages_alone(&r->processes[i]);
		t.lost += run_lost(&r->processes[i]);
		t.lost_more |= r->processes[i].lost_buffers > 0;
	}
	return t;
}

static const char *plural(unsigned int n, const char *ending)
{
	return n == 1 ? "" : ending;
}

void run_summary(const struct run *r, char *text, size_t size)
{
	struct run_totals t = run_totals(r);
	char who[64], stages[64] = "";

	if (t.stages_alone)
		snprintf(stages, sizeof(stages), "%sstages of %u%s process%s", t.recorders ? ", " : "", t.stages_alone, t.recorders ? " more" : "",
			 plural(t.stages_alone, "es"));
	if (!t.recorders)
		who[0] = '\0';
	else if (!t.all_ranked)
		snprintf(who, sizeof(who), "%u process%s", t.recorders, plural(t.recorders, "es"));
	else if (!t.duplicates)
		snprintf(who, sizeof(who), "%u rank%s", t.ranks, plural(t.ranks, "s"));
	else
		snprintf(who, sizeof(who), "%u processes of %u rank%s", t.recorders, t.ranks, plural(t.ranks, "s"));
	snprintf(text, size, "%s%s, %" PRId64 " event%s, %s%" PRId64 " lost", who, stages, t.kept, t.kept == 1 ? "" : "s",
		 t.lost_more ? "more than " : "", t.lost);
}
