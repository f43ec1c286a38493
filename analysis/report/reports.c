#include "analysis/report/reports.h"

#include <stdlib.h>

#include "analysis/report/reading.h"
#include "analysis/report/run_of.h"
#include "analysis/report/without_files.h"
#include "analysis/util/alloc.h"
#include "analysis/util/cores.h"
#include "analysis/util/trace_paths.h"

/* The processes that may be asked for: those that are not known are to be read. */
static void want(struct reading *r, struct sums *sums)
{
	r->wanted = alloc_zero(r->trace->count, sizeof(*r->wanted));
	for (size_t i = 0; i < r->trace->count; i++) {
		const struct process *p = &r->trace->processes[i];

		if (p->has_rank && !choice_has_rank(r->choice, true, p->rank))
			continue;
		if (!p->known) {
			r->wanted[r->count++] = i;
			continue;
		}
		sums_take(sums, p, &r->reports[i]);
		r->there[i] = r->settled[i] = true;
	}
}

/* What a process of this machine, which is not over, has written so far is not kept. */
static void keep_sums(struct reading *r, struct sums *sums, const struct sessions *sessions)
{
	for (size_t i = 0; i < r->trace->count; i++) {
		const struct session_entry *e = sessions_of_file(sessions, r->trace->processes[i].file_id);

		r->settled[i] &= !e || e->status->state == SESSION_ENDED;
	}
	sums_keep(sums, r->trace, r->reports, r->settled);
}

/* Those that were asked for move to the front; a rank may be told only at the end of a file. Returns how many. */
static size_t keep_chosen(struct reading *r, const struct reports_asked *asked, struct known_runs *runs)
{
	struct sessions sessions;
	size_t count = 0;

	sessions_read(&sessions);
	if (asked->sums)
		keep_sums(r, asked->sums, &sessions);
	for (size_t i = 0; i < r->trace->count; i++) {
		struct report report = r->reports[i];

		r->reports[i] = (struct report){ 0 };
		if (!r->there[i])
			continue;
		report_complete(&report, &r->trace->processes[i], &sessions, runs);
		report.all_rows = asked->all_rows;
		if (report.chosen)
			r->reports[count++] = report;
		else
			report_free(&report);
	}
	sessions_free(&sessions);
	return count;
}

/* What they send has to be taken in one place: more would wait for that. */
#define JOBS_TO_TAKE_FROM 8

static unsigned int jobs_of(const struct reports_asked *asked)
{
	unsigned int cores = cores_count();

	return asked->jobs ? asked->jobs : cores < JOBS_TO_TAKE_FROM ? cores
								     : JOBS_TO_TAKE_FROM;
}

static bool read_processes(struct reports *all, struct trace *t, const struct reports_asked *asked, struct known_runs *runs)
{
	struct reading r = { .trace = t, .choice = asked->choice, .jobs = jobs_of(asked), .reports = all->list };
	bool whole;

	r.there = alloc_zero(t->count, sizeof(*r.there));
	r.settled = alloc_zero(t->count, sizeof(*r.settled));
	want(&r, asked->sums);
	whole = reading_do(&r);
	all->count = keep_chosen(&r, asked, runs);
	free(r.there);
	free(r.settled);
	free(r.wanted);
	return whole;
}

/* A folder may hold less than was recorded; who names files means these. */
static bool names_folder(const struct reports_asked *asked)
{
	for (int i = 0; i < asked->path_count; i++)
		if (!trace_paths_is_trace(asked->paths[i]))
			return true;
	return false;
}

bool reports_read(struct reports *r, struct trace *t, const struct reports_asked *asked)
{
	struct known_runs runs = { 0 };
	bool whole;

	*r = (struct reports){ .list = alloc_zero(t->count, sizeof(*r->list)) };
	whole = read_processes(r, t, asked, &runs);
	if (t->count && !r->count)
		choice_no_rank(asked->choice, t);
	qsort(r->list, r->count, sizeof(*r->list), report_order);
	if (names_folder(asked))
		without_files_take(r->list, r->count, &runs, asked->choice);
	run_of_free(&runs);
	return whole;
}

void reports_free(struct reports *r)
{
	for (size_t i = 0; i < r->count; i++)
		report_free(&r->list[i]);
	free(r->list);
}
