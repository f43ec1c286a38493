/* why.c - `ranktrace why`: which steps were slow, and what each ns of that is due to. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/check/closing_lines.h"
#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/commands/found.h"
#include "analysis/report/by_run.h"
#include "analysis/why/reading.h"

static void usage(FILE *to)
{
	fputs("Usage: ranktrace why [OPTION]... PATH...\n"
	      "Says why steps were slow: what they spent more on than others do, largest first.\n"
	      "  -f, --format text|json   sentences (default) or one JSON object\n"
	      "  -s, --steps LIST         these steps (default: the five slowest that stand out)\n"
	      "  -r, --ranks LIST         as these ranks saw it (default: the rank that the others waited for)\n"
	      "  -j, --jobs N             so many processes are read at a time (default: as there are cores)\n",
	      to);
	fputs(ARGUMENTS_STRIP_HELP("  -p, --strip-paths        "), to);
	fputs("  -h, --help               this text\n"
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
	return found_steps(t, asked, ranks, steps);
}

struct asked {
	bool json;
	unsigned int jobs; /* 0: as is best */
};

static int answer(struct trace *t, const struct arguments *a, const struct asked *asked)
{
	static struct out out = { .fd = STDOUT_FILENO };
	struct why_reading why;
	bool found;

	closing_lines_own_name(why.program, sizeof(why.program));
	why_reading_open(&why, t, &a->choice, a->paths, a->count, asked->jobs);
	found = all_found(t, &why.run, &a->choice);
	if (asked->json)
		why_json(&out, &why.answer);
	else if (found && t->count)
		why_text(&out, &why.answer);
	out_flush(&out);
	why_reading_close(&why);
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
	const struct argument own[] = { { "format", 'f', take_format, false, arguments_text_or_json }, { "jobs", 'j', take_jobs, false, NULL }, ARGUMENTS_STRIP, { 0 } };
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
