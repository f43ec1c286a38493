#include "analysis/report/reports.h"

#include <stdlib.h>

#include "analysis/report/run_of.h"
#include "analysis/report/without_files.h"
#include "analysis/util/alloc.h"
#include "analysis/util/progress.h"
#include "analysis/util/trace_paths.h"

/* A rank may be told only at the end of a file. */
static void read_processes(struct reports *all, struct trace *t, const struct choice *asked, bool all_rows, struct known_runs *runs)
{
	struct sessions sessions;

	sessions_read(&sessions);
	for (size_t i = 0; i < t->count; i++) {
		struct process *p = &t->processes[i];
		struct report *r = &all->list[all->count];

		progress("report", i, t->count);
		if (p->has_rank && !choice_has_rank(asked, true, p->rank))
			continue;
		report_read(r, p, asked, &sessions, runs);
		r->all_rows = all_rows;
		if (r->chosen) {
			all->count++;
			continue;
		}
		report_free(r);
		*r = (struct report){ 0 };
	}
	progress_end();
	sessions_free(&sessions);
}

/* A folder may hold less than was recorded; who names files means these. */
static bool names_folder(char *const *paths, int count)
{
	for (int i = 0; i < count; i++)
		if (!trace_paths_is_trace(paths[i]))
			return true;
	return false;
}

void reports_read(struct reports *r, struct trace *t, const struct choice *asked, bool all_rows, char *const *paths, int path_count)
{
	struct known_runs runs = { 0 };

	*r = (struct reports){ .list = alloc_zero(t->count, sizeof(*r->list)) };
	read_processes(r, t, asked, all_rows, &runs);
	if (t->count && !r->count)
		choice_no_rank(t);
	qsort(r->list, r->count, sizeof(*r->list), report_order);
	if (names_folder(paths, path_count))
		without_files_take(r->list, r->count, &runs, asked);
	run_of_free(&runs);
}

void reports_free(struct reports *r)
{
	for (size_t i = 0; i < r->count; i++)
		report_free(&r->list[i]);
	free(r->list);
}
