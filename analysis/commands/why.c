/* why.c - `ranktrace why`: which steps were slow, and what each ns of that is due to. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/check/closing_lines.h"
#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/commands/found.h"
#include "analysis/report/by_run.h"
#include "analysis/why/meetings.h"
#include "analysis/why/why.h"

static void usage(FILE *to)
{
	fputs("Usage: ranktrace why [OPTION]... PATH...\n"
	      "Says why steps were slow: what they spent more on than others do, largest first.\n"
	      "  -f, --format text|json   sentences (default) or one JSON object\n"
	      "  -s, --steps LIST         these steps (default: the five slowest that stand out)\n"
	      "  -r, --ranks LIST         as these ranks saw it (default: the rank that the others waited for)\n"
	      "  -j, --jobs N             so many processes are read at a time (default: as there are cores)\n"
	      "  -h, --help               this text\n"
	      "What the causes are, and how they are found: docs/why.md\n",
	      to);
}

static bool all_found(struct trace *t, const struct why_run *run, const struct choice *asked)
{
	uint64_t steps = 0;
	size_t ranks = 0;

	for (size_t i = 0; i < run->count; i++) {
		if (!choice_has_rank(asked, run->ranks[i].report.has_rank, run->ranks[i].report.rank))
			continue;
		ranks++;
		for (size_t k = 0; k < run->ranks[i].count; k++)
			steps += choice_has_step(asked, run->ranks[i].steps[k].step);
	}
	return found_all(t, asked, ranks, steps);
}

struct asked {
	bool json;
	unsigned int jobs; /* 0: as is best */
};

/* What is told of all steps of all ranks together. */
struct whole_run {
	struct clocks clocks;
	struct lateness lateness;
	struct attendance attendance;
};

/* Who waited for whom, too. True: of each collective one rank is there only. */
static bool whole_run_find(struct whole_run *w, struct why_run *run)
{
	struct table meetings;
	bool alone;

	clocks_align(&w->clocks, run);
	meetings = meetings_of(run, &w->clocks);
	alone = meetings_share(run, &w->clocks, &meetings);
	lateness_find(&w->lateness, run, &w->clocks, &meetings);
	attendance_find(&w->attendance, run);
	table_free(&meetings);
	return alone;
}

static void whole_run_free(struct whole_run *w)
{
	clocks_free(&w->clocks);
	lateness_free(&w->lateness);
	attendance_free(&w->attendance);
}

/* What is asked for is compared with all that there is. */
static int answer(struct trace *t, const struct arguments *a, const struct asked *asked)
{
	static const struct choice all = CHOICE_ALL;
	static struct out out = { .fd = STDOUT_FILENO };
	struct findings_of_run findings;
	struct whole_run whole;
	struct why_run run;
	bool found;
	char program[1200];
	struct why_answer answer = { .run = &run, .findings = &findings, .clocks = &whole.clocks, .paths = { program, a->paths, a->count } };

	closing_lines_own_name(program, sizeof(program));
	why_run_read(&run, t, &all, false, asked->jobs);
	if (run.other_runs)
		fprintf(stderr, "ranktrace: %zu runs lie there: this is of the newest, %s; name another by its folder\n", run.other_runs + 1,
			run.count && run.ranks[0].report.folder ? run.ranks[0].report.folder : "-");
	answer.alone = whole_run_find(&whole, &run);
	if (a->choice.steps.all && a->choice.ranks.all) {
		answer.lateness = &whole.lateness;
		answer.attendance = &whole.attendance;
	}
	why_findings_make(&findings, &run, &a->choice);
	found = all_found(t, &run, &a->choice);
	if (asked->json)
		why_json(&out, &answer);
	else if (found && t->count)
		why_text(&out, &answer);
	out_flush(&out);
	why_findings_free(&findings);
	whole_run_free(&whole);
	why_run_free(&run);
	if (out.error)
		fprintf(stderr, "ranktrace: standard output: %s\n", strerror(out.error));
	return out.error || t->trouble || !found ? EXIT_LOST : 0;
}

static int take_format(void *context, const char *value)
{
	return arguments_take_format(&((struct asked *)context)->json, value, arguments_text_or_json);
}

static int take_jobs(void *context, const char *value)
{
	return arguments_take_jobs(&((struct asked *)context)->jobs, value);
}

int cmd_why(int argc, char **argv)
{
	const struct argument own[] = { { "format", 'f', take_format, false, arguments_text_or_json }, { "jobs", 'j', take_jobs, false, NULL }, { 0 } };
	struct asked asked = { 0 };
	struct arguments a = { .usage = usage, .own = own, .context = &asked };
	struct trace trace;
	int rc = arguments_read_with_paths(&a, argc, argv);

	if (rc != ARGUMENTS_GO_ON)
		return rc;
	if (a.choice.roles) {
		fputs("ranktrace: --roles: why tells of whole steps: leave it out; ranktrace report --roles tells of stages\n", stderr);
		return EXIT_USAGE;
	}
	trace_open(&trace, a.paths, a.count);
	rc = answer(&trace, &a, &asked);
	trace_close(&trace);
	return rc;
}
