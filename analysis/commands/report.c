/* report.c - `ranktrace report`: reads process by process, keeps the sums, prints at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/report/by_run.h"
#include "analysis/report/csv.h"
#include "analysis/report/losses.h"
#include "analysis/report/reports.h"
#include "analysis/report/section.h"
#include "analysis/report/step_rows.h"
#include "analysis/util/alloc.h"

static void usage(FILE *to)
{
	fputs("Usage: ranktrace report [OPTION]... PATH...\n"
	      "Summarises a run: steps, kernels, copies, memory, and what was lost or not seen.\n"
	      "  -f, --format FORMAT      text: tables (default), json: one object, csv: rows, with --only of one table\n"
	      "  -n, --top N              rows of long tables (10)\n"
	      "  -a, --all                all rows of long tables\n"
	      "  -o, --only LIST          these sections only, as summary,kernels\n"
	      "  -s, --steps LIST         steps, kernels and copies of these steps only, as 2,4 or 5-9\n"
	      "  -r, --ranks LIST         these ranks only\n"
	      "  -R, --roles LIST         kernels, copies and stages of these roles only, as actor_update or actor\n"
	      "  -j, --jobs N             so many processes of the trace at a time (as many as there are processors, 8 at most)\n"
	      "  -S, --no-sums            reads all files anew, and keeps no sums of them in the run's folder\n",
	      to);
	fputs(ARGUMENTS_STRIP_HELP("  -p, --strip-paths        "), to);
	fputs("  -h, --help               this text\n"
	      "A step marked `to the exit' was still open when the program ended. Columns and keys: docs/output.md\n",
	      to);
}

enum format { FORMAT_TEXT,
	      FORMAT_JSON,
	      FORMAT_CSV };

static const char *const formats[] = { [FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_CSV] = "csv", NULL };

struct asked {
	enum format format;
	bool all, no_sums;
	unsigned int jobs;
	struct sums *sums; /* NULL: without */
	struct shown shown;
	const struct arguments *arguments;
};

/* Returns 0, or EXIT_LOST with the reason on stderr. */
static int finish(struct out *o)
{
	out_flush(o);
	if (o->error)
		fprintf(stderr, "ranktrace: standard output: %s\n", strerror(o->error));
	return o->error ? EXIT_LOST : 0;
}

static int print(const struct report *reports, size_t count, const struct asked *asked)
{
	static struct out out = { .fd = STDOUT_FILENO };

	if (asked->format == FORMAT_JSON)
		report_json(&out, reports, count, &asked->shown);
	else if (asked->format == FORMAT_CSV && count)
		report_csv(&out, reports, count, &asked->shown);
	else if (asked->format == FORMAT_TEXT && count)
		by_run_text(&out, reports, count, &asked->shown);
	return finish(&out);
}

/* That what is shown is not the newest: among what people read, and beside what programs do. */
static void say_silent(const struct trace *t, const struct asked *asked)
{
	static struct out out;
	char *line = by_run_silent_line(t, asked->arguments->paths, asked->arguments->count);

	out.fd = asked->format != FORMAT_TEXT ? STDERR_FILENO : STDOUT_FILENO;
	if (line) {
		out_text(&out, asked->format != FORMAT_TEXT ? "ranktrace: " : "\n");
		out_clean(&out, line);
		out_char(&out, '\n');
	}
	finish(&out);
	free(line);
}

/* Complains, and names all steps that were read. */
static void complain_of_steps(const struct report *reports, size_t count, const struct choice *choice)
{
	size_t n = 0, most = 0;
	int64_t *numbers;

	for (size_t i = 0; i < count; i++)
		most += reports[i].steps_read;
	numbers = alloc_zero(most, sizeof(*numbers));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i].steps_read; k++)
			if (reports[i].steps[k].step != STEP_NULL)
				numbers[n++] = reports[i].steps[k].step;
	choice_no_step(choice, numbers, n);
	free(numbers);
}

/* Returns true if some were asked for and none is there. */
static bool lacks_steps(const struct report *reports, size_t count, const struct asked *asked)
{
	for (size_t i = 0; i < count; i++)
		if (reports[i].step_count)
			return false;
	if (asked->arguments->choice.steps.all || !count)
		return false;
	complain_of_steps(reports, count, &asked->arguments->choice);
	return true;
}

static bool lacks_roles(const struct report *reports, size_t count, struct trace *t, const struct choice *choice)
{
	for (size_t i = 0; i < count; i++)
		if (reports[i].stage_count)
			return false;
	if (!choice->roles || !count)
		return false;
	choice_no_role(choice, t);
	return true;
}

static int report_all(struct trace *t, const struct asked *asked)
{
	const struct arguments *a = asked->arguments;
	const struct reports_asked of = { &a->choice, asked->all, asked->jobs, asked->sums, a->paths, a->count };
	struct reports all;
	bool lost = t->trouble;
	int rc;

	lost |= !reports_read(&all, t, &of) || (t->count && !all.count);
	for (size_t i = 0; i < all.count; i++)
		lost |= losses_any(&all.list[i]);
	lost |= lacks_steps(all.list, all.count, asked) || lacks_roles(all.list, all.count, t, &a->choice);
	rc = print(all.list, all.count, asked);
	if (all.count)
		say_silent(t, asked);
	reports_free(&all);
	return lost ? EXIT_LOST : rc;
}

/* Sums are of whole processes. */
static int report_asked(struct asked *asked)
{
	const struct arguments *a = asked->arguments;
	struct known_files known;
	struct sums sums = { 0 };
	struct trace trace;
	int rc;

	if (!asked->no_sums && a->choice.steps.all && !a->choice.roles)
		asked->sums = &sums;
	known = sums_known(&sums, &a->choice);
	trace_open_knowing(&trace, a->paths, a->count, asked->sums ? &known : NULL);
	rc = report_all(&trace, asked);
	trace_close(&trace);
	sums_free(&sums);
	return rc;
}

static int take_format(void *context, const char *value)
{
	struct asked *asked = context;

	for (asked->format = FORMAT_TEXT; formats[asked->format]; asked->format++)
		if (!strcmp(value, formats[asked->format]))
			return 0;
	return arguments_refuse("--format", value, "text, json or csv");
}

static int take_top(void *context, const char *value)
{
	struct asked *asked = context;

	return arguments_take_top(&asked->shown.top, value);
}

static int take_all(void *context, const char *value)
{
	struct asked *asked = context;

	(void)value;
	asked->shown.top = SIZE_MAX;
	asked->all = true;
	return 0;
}

static int take_jobs(void *context, const char *value)
{
	return arguments_take_jobs(&((struct asked *)context)->jobs, value);
}

static int take_no_sums(void *context, const char *value)
{
	(void)value;
	((struct asked *)context)->no_sums = true;
	return 0;
}

static bool is_known(const char *word)
{
	const char *const *known = section_words();

	while (*known && strcmp(*known, word))
		known++;
	return *known;
}

static int take_only(void *context, const char *value)
{
	char *words = strdup(value), *rest = words, *word;
	int rc = words ? 0 : EXIT_USAGE;

	((struct asked *)context)->shown.only = value;
	while (!rc && (word = strsep(&rest, ",")))
		if (!is_known(word))
			rc = arguments_refuse_word("--only", word, section_words());
	free(words);
	return rc;
}

/* Of sections that were asked for those that the format has no place for. */
static void say_elsewhere(const struct asked *asked)
{
	char *words = asked->shown.only ? strdup(asked->shown.only) : NULL, *rest = words, *word;
	bool is_text = asked->format == FORMAT_TEXT;

	while (words && (word = strsep(&rest, ",")))
		if (!(is_text ? section_has_text(word) : section_has_json(word)))
			fprintf(stderr, "ranktrace: --only %s: it is in %s only: %s\n", word, is_text ? "JSON and CSV" : "text",
				is_text ? "give --format json or csv" : "leave --format out");
	free(words);
}

int cmd_report(int argc, char **argv)
{
	const struct argument own[] = {
		{ "format", 'f', take_format, false, formats },
		{ "top", 'n', take_top, false, NULL },
		{ "all", 'a', take_all, true, NULL },
		{ "only", 'o', take_only, false, section_words() },
		{ "jobs", 'j', take_jobs, false, NULL },
		{ "no-sums", 'S', take_no_sums, true, NULL },
		ARGUMENTS_STRIP,
		{ 0 },
	};
	struct asked asked = { .shown.top = 10 };
	struct arguments a = { .usage = usage, .own = own, .context = &asked };
	int rc = arguments_read_with_paths(&a, argc, argv);

	if (rc != ARGUMENTS_GO_ON)
		return rc;
	asked.arguments = &a;
	say_elsewhere(&asked);
	return report_asked(&asked);
}
