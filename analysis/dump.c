/* dump.c - `ranktrace dump`: every event, one a line. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/commands.h"
#include "analysis/dump.h"
#include "analysis/operators.h"
#include "analysis/progress.h"
#include "analysis/sorter.h"
#include "analysis/usage.h"

static const char usage[] =
	"Usage: ranktrace dump [--format text|jsonl] PATH...\n"
	"Prints every recorded call, one a line, process by process, by begin time.\n"
	"  -f, --format text|jsonl   aligned columns (default) or one JSON object a line\n"
	"  -h, --help                this text\n"
	"Columns and keys: docs/output.md\n";

struct dump {
	struct out *out;
	void (*line)(struct out *o, const struct dump_line *line);
	struct operators operators;
	struct sorter sorter; /* of struct line */
};

struct line {
	struct trace_event event;
	bool timed;
	struct device_time device;
};

static void print_line(void *context, const void *item)
{
	const struct line *l = item;
	struct dump *d = context;

	d->line(d->out, &(struct dump_line){ &l->event, l->timed ? &l->device : NULL,
					     operators_around(&d->operators, &l->event) });
}

static void sort_line(void *context, const struct trace_event *ev, const struct device_time *dev)
{
	struct dump *d = context;
	struct line l = { .event = *ev, .timed = dev };

	if (dev)
		l.device = *dev;
	/* What lies inside another call begins with it at the earliest, and is shorter. */
	sorter_push(&d->sorter, ev->begin_ns, UINT64_MAX - ev->duration_ns, &l);
}

static void dump_process(struct dump *d, struct process *p)
{
	struct visitor v = { .context = d };

	d->operators = OPERATORS;
	process_joined(p, &v, sort_line);
	sorter_flush(&d->sorter);
	operators_free(&d->operators);
}

static int dump_all(struct trace *t, bool jsonl)
{
	static struct out out = { .fd = STDOUT_FILENO };
	struct dump d = { .out = &out, .line = jsonl ? dump_jsonl : dump_text };
	bool lost = t->trouble;

	sorter_init(&d.sorter, sizeof(struct line), SORTER_WINDOW, print_line, &d);
	if (!jsonl)
		dump_text_head(&out);
	for (size_t i = 0; i < t->count && !out.error; i++) {
		struct process *p = &t->processes[i];

		progress("dump", i, t->count);
		if (process_load(p))
			lost = true;
		else
			dump_process(&d, p);
		lost |= process_lost(p) || process_dropped(p);
		process_unload(p);
	}
	progress_end();
	sorter_free(&d.sorter);
	out_flush(&out);
	if (out.error) {
		fprintf(stderr, "ranktrace: standard output: %s\n", strerror(out.error));
		return EXIT_LOST;
	}
	return lost ? EXIT_LOST : 0;
}

int cmd_dump(int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct trace trace;
	bool jsonl = false;
	int option, rc;

	while ((option = getopt_long(argc, argv, "f:h", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (option != 'f') {
			fputs(usage, stderr);
			return EXIT_USAGE;
		}
		if (strcmp(optarg, "text") && strcmp(optarg, "jsonl"))
			return usage_word("--format", optarg, "text or jsonl");
		jsonl = !strcmp(optarg, "jsonl");
	}
	if (optind == argc)
		return usage_no_path(usage);
	trace_open(&trace, argv + optind, argc - optind);
	rc = dump_all(&trace, jsonl);
	trace_close(&trace);
	return rc;
}
