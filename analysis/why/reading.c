#include "analysis/why/reading.h"

#include <stdio.h>

#include "analysis/why/meetings.h"

void why_reading_open(struct why_reading *w, struct trace *t, const struct choice *asked, char *const *paths, int count)
{
	static const struct choice all = CHOICE_ALL;

	w->answer = (struct why_answer){ &w->run, &w->findings, &w->clocks, false, { w->program, paths, count } };
	why_run_read(&w->run, t, &all, false);
	if (w->run.other_runs)
		fprintf(stderr, "ranktrace: %zu runs lie there: this is of the newest, %s; name another by its folder\n", w->run.other_runs + 1,
			w->run.count && w->run.ranks[0].report.folder ? w->run.ranks[0].report.folder : "-");
	clocks_align(&w->clocks, &w->run);
	w->answer.alone = meetings_share(&w->run, &w->clocks);
	why_findings_make(&w->findings, &w->run, asked);
}

void why_reading_close(struct why_reading *w)
{
	why_findings_free(&w->findings);
	clocks_free(&w->clocks);
	why_run_free(&w->run);
}
