/* hooks.c - `ranktrace hooks`: what can be recorded, from the rows of hooks/ themselves. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/trace/trace.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"
#include "hooks/rows/table.h"

static const char usage[] =
	"Usage: ranktrace hooks [WORD]...\n"
	"Lists the entry points that can be recorded; with WORDs, only lines that contain one.\n"
	"  -h, --help   this text\n"
	"Columns: entry point, kind of event, lowest --level that records the call, library. Entry points of kind\n"
	"tensor or question have no events; tensors give operators their shapes (`shapes` in --contents).\n";

static const char *level_word(enum event_kind kind)
{
	int n = kind_levels[kind < EV_KINDS ? kind : EV_KINDS] + 1;

	if (kind > EV_KINDS)
		return "shapes";

	/* See agent/format/event.h: these also want `memory` in contents. */
	if (kind == EV_ALLOC || kind == EV_FREE || kind == EV_POOL_ALLOC || kind == EV_POOL_FREE)
		return "level0+memory";
	return kind < EV_KINDS && n >= 0 && n < 4 ? level_words[n] : "never"; /* a question is answered, and no event */
}

/* Those behind the last kind have no events: hooks/capture/words.h. */
static const char *kind_word(enum event_kind kind)
{
	if (kind < EV_KINDS)
		return kind_words[kind];
	return kind > EV_KINDS ? "tensor" : "question";
}

static int by_name(const void *a, const void *b)
{
	const struct hook_row *x = *(const struct hook_row *const *)a;
	const struct hook_row *y = *(const struct hook_row *const *)b;
	int order = strcmp(x->library, y->library);

	return order ? order : strcmp(x->name, y->name);
}

static int list(char **words, int count)
{
	const struct hook_row **rows = alloc_zero(hook_row_count, sizeof(*rows));
	int shown = 0;

	for (unsigned int i = 0; i < hook_row_count; i++)
		rows[i] = &hook_rows[i];
	qsort(rows, hook_row_count, sizeof(*rows), by_name);
	for (unsigned int i = 0; i < hook_row_count; i++) {
		enum event_kind kind = rows[i]->kind;
		char line[256];
		bool match = !count;

		snprintf(line, sizeof(line), "%-44s %-12s %-13s %s", rows[i]->name,
			 kind_word(kind), level_word(kind), rows[i]->library);
		for (int k = 0; k < count; k++)
			match |= strcasestr(line, words[k]) != NULL;
		if (match && !shown++)
			printf("%-44s %-12s %-13s %s\n", "ENTRY POINT", "KIND", "LEVEL", "LIBRARY");
		if (match)
			puts(line);
	}
	free(rows);
	if (!shown)
		fprintf(stderr, "ranktrace: no entry point matches; `ranktrace hooks` lists all\n");
	return shown ? 0 : EXIT_LOST;
}

int cmd_hooks(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option;

	while ((option = arguments_next(argc, argv, "h", options)) != -1) {
		if (option != 'h')
			return EXIT_USAGE;
		fputs(usage, stdout);
		return 0;
	}
	return list(argv + optind, argc - optind);
}
