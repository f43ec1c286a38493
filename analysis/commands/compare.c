/* compare.c - `ranktrace compare`: what changed between two runs, or between steps or ranks of one. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/commands/found.h"
#include "analysis/compare/compare.h"

static void usage(FILE *to)
{
	fputs("Usage: ranktrace compare [OPTION]... A B\n"
	      "Says what changed from the steps of A to those of B, largest first: kernels, calls, gaps, copies, collectives.\n"
	      "  -f, --format text|json   a table (default) or one JSON object\n"
	      "  -n, --top N              number of rows in the table (20)\n"
	      "  -s, --steps LIST         these steps only, as 2,4 or 5-9\n"
	      "  -r, --ranks LIST         these ranks only\n"
	      "  -a, --steps-a LIST       steps of A (default: as --steps says)\n"
	      "  -b, --steps-b LIST       steps of B\n"
	      "  -A, --ranks-a LIST       ranks of A (default: as --ranks says)\n"
	      "  -B, --ranks-b LIST       ranks of B\n"
	      "  -h, --help               this text\n"
	      "A and B are files or folders; one is both where the last four tell them apart. Columns and keys: docs/compare.md\n",
	      to);
}

struct asked {
	bool json;
	size_t top;
	struct selection steps[SIDES], ranks[SIDES]; /* not given: those of both */
};

/* ---- the command line ---- */

static int take_format(void *context, const char *value)
{
	struct asked *asked = context;

	return arguments_take_format(&asked->json, value, arguments_text_or_json);
}

static int take_top(void *context, const char *value)
{
	struct asked *asked = context;

	return arguments_take_top(&asked->top, value);
}

static int take_steps_a(void *context, const char *value)
{
	return arguments_take_list(&((struct asked *)context)->steps[SIDE_A], "steps-a", value, false);
}

static int take_steps_b(void *context, const char *value)
{
	return arguments_take_list(&((struct asked *)context)->steps[SIDE_B], "steps-b", value, false);
}

static int take_ranks_a(void *context, const char *value)
{
	return arguments_take_list(&((struct asked *)context)->ranks[SIDE_A], "ranks-a", value, true);
}

static int take_ranks_b(void *context, const char *value)
{
	return arguments_take_list(&((struct asked *)context)->ranks[SIDE_B], "ranks-b", value, true);
}

static bool are_apart(const struct asked *asked)
{
	return asked->steps[SIDE_A].given || asked->steps[SIDE_B].given || asked->ranks[SIDE_A].given || asked->ranks[SIDE_B].given;
}

static bool are_same(const char *a, const char *b)
{
	char real_a[PATH_MAX], real_b[PATH_MAX];

	return realpath(a, real_a) && realpath(b, real_b) && !strcmp(real_a, real_b);
}

/* Returns 0, or EXIT_USAGE with the reason on stderr. */
static int check(const struct arguments *a, const struct asked *asked)
{
	if (a->choice.roles)
		fputs("ranktrace: --roles: compare tells of whole steps: leave it out; ranktrace report --roles tells of stages\n", stderr);
	else if (a->count > SIDES)
		fprintf(stderr, "ranktrace: compare takes two paths, not %d: name folders of two runs\n", a->count);
	else if (a->count < SIDES && !are_apart(asked))
		fputs("ranktrace: compare takes two paths: name a second one, or tell two parts of this one, as --steps-a 3 --steps-b 4\n", stderr);
	else if (a->count == SIDES && are_same(a->paths[SIDE_A], a->paths[SIDE_B]) && !are_apart(asked))
		fputs("ranktrace: both paths are the same: name another one, or tell two parts of it, as --steps-a 3 --steps-b 4\n", stderr);
	else
		return 0;
	return EXIT_USAGE;
}

static struct choice choice_of(const struct arguments *a, const struct asked *asked, unsigned int side)
{
	static const char *const steps_options[SIDES] = { "--steps-a", "--steps-b" }, *const ranks_options[SIDES] = { "--ranks-a", "--ranks-b" };
	struct choice c = a->choice;

	if (asked->steps[side].given)
		c.steps = asked->steps[side], c.steps_option = steps_options[side];
	if (asked->ranks[side].given)
		c.ranks = asked->ranks[side], c.ranks_option = ranks_options[side];
	return c;
}

/* ---- the comparison ---- */

static int print(const struct side sides[SIDES], const char *const paths[SIDES], const struct asked *asked)
{
	static struct out out = { .fd = STDOUT_FILENO };
	struct comparison c = { .paths = { paths[SIDE_A], paths[SIDE_B] } };

	comparison_make(&c, sides);
	if (asked->json)
		compare_json(&out, &c);
	else
		compare_text(&out, &c, asked->top);
	comparison_free(&c);
	out_flush(&out);
	if (out.error)
		fprintf(stderr, "ranktrace: standard output: %s\n", strerror(out.error));
	return out.error ? EXIT_LOST : 0;
}

/* Complains if nothing of it can be compared. */
static bool has_whole_steps(const struct side *s, const char *path)
{
	if (s->count)
		return true;
	if (s->found)
		fprintf(stderr, "ranktrace: %s: there is no whole step (a step %s): record some from their begin to their end, as --steps 3-9\n", path,
			s->lacks ? s->lacks : "has no length");
	return false;
}

/* Both traces are open. */
static int compare(struct trace traces[SIDES], const char *const paths[SIDES], const struct choice choices[SIDES], const struct asked *asked)
{
	struct side sides[SIDES];
	int rc = 0;

	for (unsigned int i = 0; i < SIDES; i++)
		side_read(&sides[i], &traces[i], &choices[i]);
	why_run_say_which(&sides[SIDE_A].run);
	if (!are_same(paths[SIDE_A], paths[SIDE_B]))
		why_run_say_which(&sides[SIDE_B].run);
	sides_choose(sides, choices);
	for (unsigned int i = 0; i < SIDES && !rc; i++)
		if (!found_steps(&traces[i], &choices[i], sides[i].ranks, sides[i].found) || !has_whole_steps(&sides[i], paths[i]))
			rc = EXIT_LOST;
	if (!rc && are_same(paths[SIDE_A], paths[SIDE_B]) && sides_are_nested(sides, choices))
		fputs("ranktrace: B contains A's steps: name others with --steps-b, or --ranks-b\n", stderr);
	if (!rc)
		rc = print(sides, paths, asked);
	for (unsigned int i = 0; i < SIDES; i++) {
		rc |= traces[i].trouble ? EXIT_LOST : 0;
		side_free(&sides[i]);
	}
	return rc;
}

int cmd_compare(int argc, char **argv)
{
	const struct argument own[] = {
		{ "format", 'f', take_format, false, arguments_text_or_json },
		{ "top", 'n', take_top, false, NULL },
		{ "steps-a", 'a', take_steps_a, false, NULL },
		{ "steps-b", 'b', take_steps_b, false, NULL },
		{ "ranks-a", 'A', take_ranks_a, false, NULL },
		{ "ranks-b", 'B', take_ranks_b, false, NULL },
		{ 0 },
	};
	struct asked asked = { .top = 20 };
	struct arguments a = { .usage = usage, .own = own, .context = &asked };
	struct trace traces[SIDES];
	struct choice choices[SIDES];
	const char *paths[SIDES];
	int rc = arguments_read_with_paths(&a, argc, argv);

	if (rc != ARGUMENTS_GO_ON)
		return rc;
	if (check(&a, &asked))
		return EXIT_USAGE;
	for (unsigned int i = 0; i < SIDES; i++) {
		char *path = a.paths[i < (unsigned int)a.count ? i : 0];

		paths[i] = path;
		choices[i] = choice_of(&a, &asked, i);
		trace_open(&traces[i], &path, 1);
	}
	rc = compare(traces, paths, choices, &asked);
	for (unsigned int i = 0; i < SIDES; i++)
		trace_close(&traces[i]);
	return rc;
}
