/* options_text.c - prints the rows of options.def in three manners. */
#include "analysis/launch/options_text.h"

#include <stdlib.h>
#include <string.h>

#include "config/option_words.h"
#include "config/step_source/step_source.h"

#ifndef RANKTRACE_VERSION
#define RANKTRACE_VERSION "unknown"
#endif

void options_version(FILE *out)
{
	fputs("ranktrace " RANKTRACE_VERSION "\n", out);
}

#define HELP_LEFT  25 /* columns before the help's words */
#define HELP_WIDTH 75

static void help_words(FILE *out, const char *text)
{
	int room = HELP_WIDTH;

	while (*text) {
		int length = strcspn(text, " ");

		if (length >= room) {
			fprintf(out, "\n%*s", HELP_LEFT, "");
			room = HELP_WIDTH;
		}
		fprintf(out, "%s%.*s", room < HELP_WIDTH ? " " : "", length, text);
		room -= length + 1;
		text += length + (text[length] == ' ');
	}
	fputc('\n', out);
}

static void help_row(FILE *out, const char *flag, const char *metavar, const char *help,
		     const char *initial)
{
	bool has_default = initial && *initial;
	char *left = NULL, *words = NULL;

	if (asprintf(&left, "%s%s%s", flag, *metavar ? " " : "", metavar) < 0 ||
	    asprintf(&words, "%s%s%s%s", help, has_default ? " (default " : "", has_default ? initial : "", has_default ? ")" : "") < 0)
		return;
	if (strlen(left) < HELP_LEFT - 2)
		fprintf(out, "  %-*s", HELP_LEFT - 2, left);
	else
		fprintf(out, "  %s\n%*s", left, HELP_LEFT, "");
	help_words(out, words);
	free(left);
	free(words);
}

void options_help(FILE *out)
{
	char flag[OPTION_NAME];

	fputs("Usage: ranktrace-run [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	      "Runs the command and records what its ranks call on their accelerators.\n\n",
	      out);
	for (unsigned int id = 0; id < OPTIONS; id++) {
		option_flag(options[id].key, flag);
		if (options[id].help)
			help_row(out, flag, options[id].metavar, options[id].help,
				 options[id].initial);
	}
	help_row(out, "--config", "FILE", "read settings from a YAML file (docs/options.md)", NULL);
	help_row(out, "--print-env[=plain]", "", "print NAME=value lines, for a shell, instead of running; =plain: without quotes, "
						 "for docker --env-file",
		 NULL);
	help_row(out, "--take-over", "", "switch the own profiler of a trainer in the command off: adds a word to it, of verl global_profiler.tool=null", NULL);
	help_row(out, "--no-wait", "", "the same as --wait false", NULL);
	help_row(out, "--version", "", "print the version", NULL);
	help_row(out, "--help, -h", "", "print this", NULL);
	fputs("\nSeparate LIST items by commas or blanks. Without --steps all steps are recorded.\n"
	      "  ranktrace-run --steps 2,4 --ranks 0 -- torchrun train.py\n",
	      out);
}

void options_choice(FILE *out, const char *wanted)
{
	const char *own[OPTION_WORDS + 1];
	char flag[OPTION_NAME];

	for (unsigned int id = 0; id < OPTIONS; id++) {
		option_flag(options[id].key, flag);
		if (strcmp(flag, wanted) || !options[id].help)
			continue;
		for (const char *const *word = option_choice(id, own); *word; word++)
			fprintf(out, "%s\n", *word);
	}
}

static void markdown_row(FILE *out, enum option_id id)
{
	const struct option_row *o = &options[id];
	char flag[OPTION_NAME], variable[OPTION_NAME], values[1024];

	option_flag(options[id].key, flag);
	option_variable(o->key, variable);
	option_values(id, values, sizeof(values));
	fprintf(out, "| `%s` | `%s` | `%s %s` | %s | ", o->key, variable, flag, o->metavar,
		values);
	if (o->initial && *o->initial)
		fprintf(out, "`%s`", o->initial);
	else
		fputs("unset", out);
	fprintf(out, " | %s |\n", o->help);
}

static void markdown_sources(FILE *out)
{
	static const char *const tells[] = {
		[STEP_BEGINS] = "begins",
		[STEP_ENDS] = "ends",
		[STEP_EITHER] = "begins, or ends",
	};

	fputs("\n## Step sources\n\n"
	      "`step_source` names one of these, or several in the order of trust. The first that fires is "
	      "the clock.\n\n"
	      "| source | a step | when |\n"
	      "|---|---|---|\n",
	      out);
	for (unsigned int i = 0; i < STEP_SOURCE_KINDS; i++)
		fprintf(out, "| `%s` | %s | %s |\n", step_source_rows[i].usage, tells[step_source_rows[i].tells],
			step_source_rows[i].help);
}

static void markdown_file(FILE *out)
{
	static const char *const dialects[][2] = {
#define DIALECT(word, function, known) { #word, known },
#include "config/load/dialects.def"
#undef DIALECT
	};

	fputs("\n## The YAML file\n\n"
	      "- `null` leaves a setting unset (`steps: null`: none), lists may be written `[2, 4]` or `2,4`, and "
	      "`step: {sources: [api]}` is another way to write `step_source`.\n"
	      "- A file has at most 64 KiB, 4096 values and brackets, 16 levels; no anchors, "
	      "aliases, tags or merge keys; no key twice.\n"
	      "- `export` is accepted as `[]` only: write `analysis` and `export_type`.\n\n"
	      "| dialect | its files |\n"
	      "|---|---|\n",
	      out);
	for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++)
		fprintf(out, "| `%s` | %s |\n", dialects[i][0], dialects[i][1]);
}

static const char *const notes[] = {
#define NOTE(key, text)	     text,
#define SPELLING(key, other) "`" #other "` is an older name of `" #key "`: as a key, a variable and an option it goes on working.",
#include "config/options.def"
#define NOTE(name, text) text,
#include "config/step_source/step_sources.def"
};

void options_markdown(FILE *out)
{
	fputs("<!-- Made from config/options.def by scripts/dev/gen-options: do not edit. -->\n"
	      "# Options\n\n"
	      "Every setting has a key in the YAML file (`--config FILE` or `RANKTRACE_CONFIG`), an "
	      "environment variable\nand an option of `ranktrace-run`. A later one wins: default, "
	      "YAML, environment, option.\n\n"
	      "| YAML key | environment | option | values | default | meaning |\n"
	      "|---|---|---|---|---|---|\n",
	      out);
	for (unsigned int id = 0; id < OPTIONS; id++)
		if (options[id].help)
			markdown_row(out, id);
	markdown_sources(out);
	fputs("\n## Rules\n\n", out);
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		fprintf(out, "- %s\n", notes[i]);
	markdown_file(out);
}

/* man takes '-' for a hyphen and a leading '.' or quote for a request. */
static void man_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '-' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void man_option(FILE *out, const struct option_row *o)
{
	char flag[OPTION_NAME];

	option_flag(o->key, flag);
	fputs(".TP\n.BR ", out);
	man_text(out, flag);
	fprintf(out, " \" \\fI%s\\fP\"\n", o->metavar);
	man_text(out, o->help);
	if (o->initial && *o->initial) {
		fputs(" (default ", out);
		man_text(out, o->initial);
		fputc(')', out);
	}
	fputc('\n', out);
}

static void man_sources(FILE *out)
{
	fputs(".RS\n", out);
	for (unsigned int i = 0; i < STEP_SOURCE_KINDS; i++) {
		fputs(".TP\n.B ", out);
		man_text(out, step_source_rows[i].usage);
		fputc('\n', out);
		man_text(out, step_source_rows[i].help);
		fputc('\n', out);
	}
	fputs(".RE\n", out);
}

void options_man(FILE *out)
{
	for (unsigned int id = 0; id < OPTIONS; id++) {
		if (options[id].help)
			man_option(out, &options[id]);
		if (id == OPTION_step_source)
			man_sources(out);
	}
}
