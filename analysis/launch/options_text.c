/* options_text.c - prints the rows of options.def in three manners. */
#include <string.h>

#include "analysis/launch/options_text.h"
#include "config/option.h"
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
	char left[80], words[600];

	snprintf(left, sizeof(left), "%s%s%s", flag, *metavar ? " " : "", metavar);
	snprintf(words, sizeof(words), "%s%s%s%s", help, has_default ? " (default " : "",
		 has_default ? initial : "", has_default ? ")" : "");
	fprintf(out, "  %-*s", HELP_LEFT - 2, left);
	help_words(out, words);
}

void options_help(FILE *out)
{
	char flag[OPTION_NAME];

	fputs("Usage: ranktrace-run [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	      "Runs the command and records what its ranks call on their accelerators.\n\n",
	      out);
	for (unsigned int id = 0; id < OPTIONS; id++) {
		option_flag(id, flag);
		if (options[id].help)
			help_row(out, flag, options[id].metavar, options[id].help,
				 options[id].initial);
	}
	help_row(out, "--config", "FILE", "read settings from a YAML file (docs/options.md)", NULL);
	help_row(out, "--print-env[=plain]", "", "print NAME=value lines, for a shell, instead of running; =plain: without quotes, "
						 "for docker --env-file",
		 NULL);
	help_row(out, "--version", "", "print the version", NULL);
	help_row(out, "--help, -h", "", "print this", NULL);
	fputs("\nLISTs are separated by commas or blanks. With no steps given it records all steps.\n"
	      "  ranktrace-run --steps 2,4 --ranks 0 -- torchrun train.py\n",
	      out);
}

static void markdown_row(FILE *out, enum option_id id)
{
	const struct option_row *o = &options[id];
	char flag[OPTION_NAME], variable[OPTION_NAME], values[1024];

	option_flag(id, flag);
	option_variable(id, variable);
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
	fputs("\n## Rules\n\n"
	      "- `steps` unset: nothing is recorded; under `ranktrace-run` everything is, and it says "
	      "so. `ranks` unset: all ranks, once steps are given.\n"
	      "- A process has the rank that a variable tells (RANKTRACE_RANK, RANK, ...); with none it has no rank, and is never taken "
	      "for rank 0: listed ranks leave it out, and it says so when its first step ends or begins. `all` records it.\n"
	      "- An empty list (`steps: []`, `RANKTRACE_RANKS=`) selects nobody. `all` and `-1` select "
	      "everybody.\n"
	      "- `5-9` holds both ends, `5-` has none. `step_start` is recorded, `step_end` is not.\n"
	      "- Lists are separated by commas or blanks: `2,4` and `'2 4'` are the same.\n"
	      "- Calls before the first `ranktrace_step(n)`, or before the first `@entry`, belong to no step and show as "
	      "step `-`. `all` records them, and so does a list with 1 in it: a kernel may still turn out to be the source, "
	      "which makes them step 1. To leave them out, name the source (`step_source: api`); to give them a number, "
	      "call `ranktrace_step(0)` first.\n"
	      "- `python:` asks PyTorch (2.0 or later, CPython 3.8 or later) to tell of every optimizer step, from the first "
	      "hooked call on. The end of step() ends a step; the first is 1. Of several optimizers the one with the most steps "
	      "counts. Micro-batches do not count, nor a step that is left out (an overflow under GradScaler); an optimizer "
	      "that something steps more than once an iteration counts as often. A step() that torch.compile has compiled does "
	      "not tell. PyTorch is asked by Python's main thread: nothing counts before that is back in the interpreter.\n"
	      "- A call belongs to the step in which it is made. What a framework puts into a queue for another thread "
	      "(torch_npu unless TASK_QUEUE_ENABLE=0) may be launched after the boundary, in the step behind it.\n"
	      "- `ascend_gate: auto` becomes `ask` or `markers` before the command runs; file and report say which. Where "
	      "`$ASCEND_HOME_PATH/lib64/libmspti.so` exists (else torch_npu asks nobody), the first Python among the command's words, or of a "
	      "script there, else the python3 of PATH, is started once without LD_PRELOAD, to tell where torch_npu lies; that is not imported. Its "
	      "libtorch_npu.so asks if it holds the name msptiActivityIsEnabled. That takes 30 to 90 ms before the start, "
	      "5 s at most. What it does not find is `markers`. Should another torch_npu be loaded than the one found, which does not ask, then "
	      "file, `report` and `ranktrace check` say so: give `--ascend-gate markers`.\n"
	      "- Without `ranktrace-run` nobody names a run: all go to `save_path/job`, whatever SLURM_JOB_ID says, and a "
	      "report of that folder shows them together. Give each its own name: `RANKTRACE_JOB=monday-2`. What "
	      "`ranktrace-run --print-env` prints holds a name, too, which all runs started with these lines share.\n"
	      "- `steps` and `step_start` or `step_end` side by side are an error; a later layer "
	      "replaces either.\n"
	      "- In the YAML file `null` leaves a setting unset, lists may be written `[2, 4]` or "
	      "`2,4`, and `step: {sources: [api]}` is another way to write `step_source`.\n"
	      "- A YAML file has at most 64 KiB, 4096 values and brackets, 16 levels; no anchors, "
	      "aliases, tags or merge keys; no key twice.\n"
	      "- `discrete`, `roles`, `export` and `analysis` are accepted with their empty values "
	      "only: this version does not have them.\n",
	      out);
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

void options_man(FILE *out)
{
	char flag[OPTION_NAME];

	for (unsigned int id = 0; id < OPTIONS; id++) {
		if (!options[id].help)
			continue;
		option_flag(id, flag);
		fputs(".TP\n.BR ", out);
		man_text(out, flag);
		fprintf(out, " \" \\fI%s\\fP\"\n", options[id].metavar);
		man_text(out, options[id].help);
		if (options[id].initial && *options[id].initial) {
			fputs(" (default ", out);
			man_text(out, options[id].initial);
			fputc(')', out);
		}
		fputc('\n', out);
	}
}
