/* dump.c - `ranktrace dump`: every event, one a line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/commands/found.h"
#include "analysis/dump/line.h"
#include "analysis/report/by_run.h"
#include "analysis/trace/choice.h"
#include "analysis/trace/operators.h"
#include "analysis/util/progress.h"
#include "analysis/util/sorter.h"

static void usage(FILE *to)
{
	fputs("Usage: ranktrace dump [OPTION]... PATH...\n"
	      "Prints every recorded call, one per line, process by process, by begin time.\n"
	      "  -f, --format text|jsonl   aligned columns (default) or one JSON object per line\n"
	      "  -s, --steps LIST          events of these steps only, as 2,4 or 5-9\n"
	      "  -r, --ranks LIST          these ranks only\n"
	      "  -R, --roles LIST          stages of these roles only, as actor_update or actor\n"
	      "  -a, --at BEGIN+LENGTH     calls that were under way then, on the host or on the device, as ranktrace why\n"
	      "                            writes it: ns since the Unix epoch, and ns\n",
	      to);
	fputs(ARGUMENTS_STRIP_HELP("  -p, --strip-paths         "), to);
	fputs("  -h, --help                this text\n"
	      "Columns and keys: docs/output.md\n",
	      to);
}

struct looks {
	void (*line)(struct out *o, const struct dump_line *line);
	void (*lost)(struct out *o, const struct trace_lost *lost);
};

/* The asked moment; all of time, where none was. */
struct moment {
	uint64_t begin, end;
};

struct dump_asked {
	bool jsonl;
	struct moment at;
};

struct dump {
	struct out *out;
	struct moment at;
	const struct choice *choice;
	uint64_t lines;
	const struct looks *looks;
	struct operators operators;
	struct sorter sorter; /* of struct line */
};

struct line {
	union {
		struct trace_event event;
		struct trace_lost lost;
	};
	bool dropped; /* it is lost, and no event */
	bool timed;
	struct device_time device;
};

static void print_line(void *context, const void *item)
{
	const struct line *l = item;
	struct dump *d = context;

	d->lines++;
	if (l->dropped) {
		d->looks->lost(d->out, &l->lost);
		return;
	}
	d->looks->line(d->out, &(struct dump_line){ &l->event, l->timed ? &l->device : NULL,
						    operators_around(&d->operators, &l->event) });
}

static bool is_at(const struct moment *at, uint64_t begin, uint64_t duration)
{
	return begin <= at->end && begin + duration >= at->begin;
}

static void sort_line(void *context, const struct trace_event *ev, const struct device_time *dev)
{
	struct dump *d = context;
	struct line l;

	if (!choice_has_place(d->choice, ev->step, ev->place) || !choice_has_device_of(d->choice, ev))
		return;
	if (!is_at(&d->at, ev->begin_ns, ev->duration_ns) && !(dev && is_at(&d->at, dev->begin_ns, dev->duration_ns)))
		return;
	l = (struct line){ .event = *ev, .timed = dev };
	if (dev)
		l.device = *dev;
	/* What lies inside another call begins with it at the earliest, and is shorter. */
	sorter_push(&d->sorter, ev->begin_ns, UINT64_MAX - ev->duration_ns, &l);
}

static void sort_lost(void *context, const struct trace_lost *lost)
{
	struct dump *d = context;
	struct line l = { .lost = *lost, .dropped = true };

	if (d->choice->roles || !is_at(&d->at, lost->begin_ns, lost->end_ns - lost->begin_ns)) /* of which role they were nobody knows */
		return;
	if (choice_has_step(d->choice, lost->first_step) || choice_has_step(d->choice, lost->last_step))
		sorter_push(&d->sorter, lost->begin_ns, UINT64_MAX, &l);
}

/* Returns how many device times came too late to stand in the lines of their calls. */
static uint64_t dump_process(struct dump *d, struct process *p)
{
	struct visitor v = { .lost = sort_lost, .context = d };
	uint64_t late;

	d->operators = OPERATORS;
	late = device_join(p, &v, sort_line);
	sorter_flush(&d->sorter);
	operators_free(&d->operators);
	return late;
}

static void tell_late(const struct process *p, uint64_t late)
{
	if (late)
		fprintf(stderr, "ranktrace: process %" PRIu64 ": %" PRIu64 " device times came more than %u events behind their calls: left out\n",
			p->pid, late, DEVICE_JOIN_MAX);
}

/* Returns false if something of it is missing. ranks: counts those that were asked for. */
static bool dump_rank(struct dump *d, struct process *p, size_t *ranks)
{
	bool whole = !process_load(p);
	uint64_t late = 0;

	/* A rank may be told only at the end of a file. */
	if (!choice_has_process(d->choice, p)) {
		process_unload(p);
		return true;
	}
	++*ranks;
	if (whole)
		late = dump_process(d, p);
	tell_late(p, late);
	whole &= !process_lost(p) && !process_dropped(p) && !late;
	process_unload(p);
	return whole;
}

static int dump_all(struct trace *t, const struct choice *choice, const struct dump_asked *asked)
{
	static const struct looks text = { dump_text, dump_lost_text }, json = { dump_jsonl, dump_lost_jsonl };
	static struct out out = { .fd = STDOUT_FILENO };
	struct dump d = { .out = &out, .at = asked->at, .choice = choice, .looks = asked->jsonl ? &json : &text };
	bool whole = !t->trouble;
	size_t ranks = 0;

	sorter_init(&d.sorter, sizeof(struct line), SORTER_WINDOW, print_line, &d);
	if (!asked->jsonl && t->count)
		dump_text_head(&out);
	for (size_t i = 0; i < t->count && !out.error; i++) {
		progress("dump", i, t->count);
		whole &= dump_rank(&d, &t->processes[i], &ranks);
	}
	progress_end();
	sorter_free(&d.sorter);
	out_flush(&out);
	if (out.error) {
		fprintf(stderr, "ranktrace: standard output: %s\n", strerror(out.error));
		return EXIT_LOST;
	}
	if (!d.lines && asked->at.end != UINT64_MAX && ranks) {
		fputs("ranktrace: --at: no call was under way then, nor began or ended: give a longer time\n", stderr);
		return EXIT_LOST;
	}
	return found_all(t, choice, ranks, d.lines) && whole ? 0 : EXIT_LOST;
}

static int take_format(void *context, const char *value)
{
	struct dump_asked *asked = context;

	return arguments_take_format(&asked->jsonl, value, arguments_text_or_jsonl);
}

static int take_at(void *context, const char *value)
{
	struct dump_asked *asked = context;
	uint64_t begin, length, part;
	char behind;

	/* As why writes it; or the begin as dump does, seconds with nine digits behind the point. */
	if (sscanf(value, "%19[0-9].%9[0-9]+%" SCNu64 "%c", (char[20]){ 0 }, (char[10]){ 0 }, &length, &behind) == 3 &&
	    sscanf(value, "%" SCNu64 ".%" SCNu64, &begin, &part) == 2 && strcspn(strchr(value, '.') + 1, "+") == 9) {
		begin = begin * 1000000000 + part;
	} else if (*value == '-' || sscanf(value, "%" SCNu64 "+%" SCNu64 "%c", &begin, &length, &behind) != 2) {
		fprintf(stderr, "ranktrace: --at '%.64s': write BEGIN+LENGTH in ns, as ranktrace why does\n", value);
		return EXIT_USAGE;
	}
	asked->at = (struct moment){ begin, length < UINT64_MAX - begin ? begin + length : UINT64_MAX };
	return 0;
}

int cmd_dump(int argc, char **argv)
{
	const struct argument own[] = { { "format", 'f', take_format, false, arguments_text_or_jsonl }, { "at", 'a', take_at, false, NULL }, ARGUMENTS_STRIP, { 0 } };
	struct dump_asked asked = { .at = { 0, UINT64_MAX } };
	struct arguments a = { .usage = usage, .own = own, .context = &asked };
	struct trace trace;
	int rc = arguments_read_with_paths(&a, argc, argv);

	if (rc != ARGUMENTS_GO_ON)
		return rc;
	trace_open(&trace, a.paths, a.count);
	by_run_tell_mixed(&trace, &a.choice, "printed", a.paths, a.count);
	rc = dump_all(&trace, &a.choice, &asked);
	trace_close(&trace);
	return rc;
}
