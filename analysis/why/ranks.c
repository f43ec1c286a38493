#include "analysis/why/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/report/run_of.h"
#include "analysis/report/whole_steps.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"
#include "analysis/util/progress.h"

static void split_steps(struct why_rank *rank, struct process *p, struct activity *a, struct subjects *subjects, bool by_host)
{
	bool device = false;

	if (!rank->report.step_count || process_load(p))
		return;
	for (size_t i = 0; i < rank->report.step_count; i++)
		device |= rank->report.steps[i].by_device;
	activity_read(a, p, subjects);
	rank->steps = alloc_zero(rank->report.step_count, sizeof(*rank->steps));
	for (size_t i = 0; i < rank->report.step_count; i++) {
		const struct step_row *row = &rank->report.steps[i];
		struct why_step *step = &rank->steps[rank->count];

		if (row->step == STEP_NULL || row->end <= row->begin)
			continue;
		*step = (struct why_step){
			.step = row->step,
			.begin = row->begin,
			.end = row->end,
			.length = step_row_length(row),
			.lacks = whole_steps_lack(&rank->report, row),
			.by_device = (row->by_device || (device && !row->computes)) && !by_host,
		};
		split_make(&step->split, a, subjects, row->begin, row->end, step->by_device);
		rank->count++;
	}
	process_unload(p);
}

static int by_rank(const void *a, const void *b)
{
	const struct why_rank *x = a, *y = b;

	return report_order(&x->report, &y->report);
}

static void free_rank(struct why_rank *rank)
{
	for (size_t k = 0; k < rank->count; k++)
		split_free(&rank->steps[k].split);
	free(rank->steps);
	report_free(&rank->report);
}

static bool same_run(const struct report *a, const struct report *b)
{
	return a->folder && b->folder && !strcmp(a->folder, b->folder);
}

static size_t count_runs(const struct why_run *run)
{
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++) {
		size_t same = 0;

		while (same < i && !same_run(&run->ranks[same].report, &run->ranks[i].report))
			same++;
		count += same == i && run->ranks[i].report.folder;
	}
	return count;
}

/* Steps of two runs are no steps of each other. What no launcher wrote of is in each. */
static void keep_newest(struct why_run *run)
{
	const struct report *newest = NULL;
	size_t runs = count_runs(run), kept = 0;
	char *folder;

	if (runs < 2)
		return;
	for (size_t i = 0; i < run->count; i++)
		if (run->ranks[i].report.folder && (!newest || run->ranks[i].report.started >= newest->started))
			newest = &run->ranks[i].report;
	if (!newest)
		return;
	folder = alloc_text(newest->folder, strlen(newest->folder));
	for (size_t i = 0; i < run->count; i++) {
		const char *own = run->ranks[i].report.folder;

		if (own && strcmp(own, folder) != 0)
			free_rank(&run->ranks[i]);
		else
			run->ranks[kept++] = run->ranks[i];
	}
	run->count = kept;
	run->other_runs = runs - 1;
	free(folder);
}

void why_run_read(struct why_run *run, struct trace *t, const struct choice *asked, bool by_host)
{
	struct activity activity = { 0 };
	struct known_runs runs = { 0 };
	struct sessions sessions;

	*run = (struct why_run){ .ranks = alloc_zero(t->count, sizeof(*run->ranks)) };
	subjects_init(&run->subjects);
	sessions_read(&sessions);
	for (size_t i = 0; i < t->count; i++) {
		struct process *p = &t->processes[i];
		struct why_rank *rank = &run->ranks[run->count];

		progress("why", i, t->count);
		if (p->has_rank && !choice_has_rank(asked, true, p->rank))
			continue;
		report_read(&rank->report, p, asked, &sessions, &runs);
		if (!rank->report.chosen) {
			report_free(&rank->report);
			*rank = (struct why_rank){ 0 };
			continue;
		}
		split_steps(rank, p, &activity, &run->subjects, by_host);
		run->count++;
	}
	progress_end();
	sessions_free(&sessions);
	run_of_free(&runs);
	activity_free(&activity);
	keep_newest(run);
	qsort(run->ranks, run->count, sizeof(*run->ranks), by_rank);
}

void why_run_free(struct why_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		free_rank(&run->ranks[i]);
	free(run->ranks);
	subjects_free(&run->subjects);
}

bool why_rank_has_all_calls(const struct why_rank *rank)
{
	return level_of_word(report_fact(&rank->report, "level")) > 0;
}
