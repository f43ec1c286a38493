#include "analysis/why/reading.h"

#include "analysis/why/asked_lines.h"

/* Who waited for whom, and what is told of all steps of all ranks together. */
static void look_at_all(struct why_reading *w, const struct choice *asked)
{
	struct table meetings;

	clocks_align(&w->clocks, &w->run);
	w->answer.alone = meetings_share(&w->run, &w->clocks, &meetings);
	lateness_find(&w->lateness, &w->run, &w->clocks, &meetings);
	attendance_find(&w->attendance, &w->run);
	table_free(&meetings);
	if (!asked->steps.all || !asked->ranks.all)
		return;
	w->answer.lateness = &w->lateness;
	w->answer.attendance = &w->attendance;
}

void why_reading_open(struct why_reading *w, struct trace *t, const struct choice *asked, char *const *paths, int count, unsigned int jobs)
{
	static const struct choice all = CHOICE_ALL;

	w->answer = (struct why_answer){ .run = &w->run, .findings = &w->findings, .clocks = &w->clocks, .paths = { w->program, paths, count } };
	why_run_read(&w->run, t, &all, false, jobs);
	why_run_say_which(&w->run);
	look_at_all(w, asked);
	why_findings_make(&w->findings, &w->run, asked);
	asked_lines_find(&w->findings, t);
}

void why_reading_close(struct why_reading *w)
{
	why_findings_free(&w->findings);
	clocks_free(&w->clocks);
	lateness_free(&w->lateness);
	attendance_free(&w->attendance);
	why_run_free(&w->run);
}
