#include "analysis/report/by_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/report/run_of.h"
#include "analysis/run/run_folder.h"
#include "analysis/util/alloc.h"

/* ---- which processes are of one run ---- */

/* Their launcher wrote down that it was one; without a launcher the name tells, or nothing. */
static bool same_run(const struct report *a, const struct report *b)
{
	if (a->folder || b->folder)
		return a->folder && b->folder && !strcmp(a->folder, b->folder);
	return !strcmp(report_fact(a, "job"), report_fact(b, "job"));
}

struct run_shown {
	uint64_t started; /* ns since the Unix epoch */
	size_t count;
	struct report *list; /* in the order of the report; what they hold is the report's */
};

static int by_start(const void *a, const void *b)
{
	const struct run_shown *x = a, *y = b;

	if (x->started != y->started)
		return x->started < y->started ? -1 : 1;
	return strcmp(report_fact(&x->list[0], "job"), report_fact(&y->list[0], "job")); /* launchers write whole seconds */
}

static struct run_shown *run_of(struct run_shown *runs, size_t *count, const struct report *r)
{
	for (size_t i = 0; i < *count; i++)
		if (same_run(&runs[i].list[0], r))
			return &runs[i];
	runs[*count] = (struct run_shown){ .started = r->started };
	return &runs[(*count)++];
}

static void tell_apart(struct run_shown *run)
{
	struct told_apart t = { 0 };

	for (size_t i = 0; i < run->count; i++)
		told_apart_take(&t, &run->list[i]);
	for (size_t i = 0; i < run->count; i++) {
		told_apart_note(&t, &run->list[i]);
		for (size_t k = 0; k < run->list[i].without_count; k++)
			told_apart_note(&t, &run->list[i].without_files[k]);
	}
}

/* The caller frees the runs and their lists. */
static struct run_shown *group(const struct report *reports, size_t count, size_t *groups)
{
	struct run_shown *runs = alloc_zero(count, sizeof(*runs));

	*groups = 0;
	for (size_t i = 0; i < count; i++) {
		struct run_shown *run = run_of(runs, groups, &reports[i]);

		run->list = alloc_grow(run->list, run->count + 1, sizeof(*run->list));
		run->list[run->count++] = reports[i];
		if (reports[i].started < run->started)
			run->started = reports[i].started;
	}
	if (*groups)
		qsort(runs, *groups, sizeof(*runs), by_start);
	for (size_t i = 0; i < *groups; i++)
		tell_apart(&runs[i]);
	return runs;
}

/* ---- as text ---- */

static void put_time(struct out *o, uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000u);
	char text[32];
	struct tm tm;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &tm));
	out_text(o, text);
}

static bool one_command(const struct run_shown *run)
{
	for (size_t i = 1; i < run->count; i++)
		if (strcmp(run->list[0].command, run->list[i].command))
			return false;
	return true;
}

/* Two of one rank, or of none: they may be of two runs. */
static bool is_ambiguous(const struct run_shown *run)
{
	for (size_t i = 1; i < run->count; i++)
		if (report_is_same_rank(&run->list[i], &run->list[i - 1]))
			return !*report_fact(&run->list[0], "launch");
	return false;
}

static void put_head(struct out *o, const struct run_shown *run)
{
	const struct report *r = &run->list[0];
	char folder[4200];

	out_text(o, "Run ");
	out_clean(o, *report_fact(r, "job") ? report_fact(r, "job") : "without a name");
	out_text(o, ", started ");
	put_time(o, run->started);
	out_text(o, ": ");
	out_clean(o, *r->command ? r->command : "command unknown");
	out_text(o, one_command(run) ? "" : ", and others");
	if (r->status > 0)
		out_format(o, ", which ended with status %" PRId64, r->status);
	else if (r->ended_by > 0)
		out_format(o, ", which was ended by signal %" PRId64 " (%s)", r->ended_by, strsignal((int)r->ended_by));
	out_char(o, '\n');
	if (r->folder) {
		run_folder_show(r->folder, folder, sizeof(folder));
		out_text(o, "in ");
		out_clean(o, folder);
		out_char(o, '\n');
	}
	if (is_ambiguous(run))
		out_text(o, "Without ranktrace-run, the processes of several runs cannot be told "
			    "apart: set a RANKTRACE_JOB for each run\n");
}

void by_run_text(struct out *o, const struct report *reports, size_t count, const struct shown *shown)
{
	size_t n;
	struct run_shown *runs = group(reports, count, &n);

	if (n > 1)
		out_format(o, "%zu runs, newest last; for one run: ranktrace report FOLDER\n\n", n);
	for (size_t i = 0; i < n; i++) {
		out_text(o, i ? "\n\n" : "");
		put_head(o, &runs[i]);
		report_text(o, runs[i].list, runs[i].count, shown);
		free(runs[i].list);
	}
	free(runs);
}

/* ---- several, where each is not shown by itself ---- */

static void say_mixed(const struct run_shown *newest, size_t n, const char *done, char *const *paths, int count)
{
	static struct out o = { .fd = STDERR_FILENO };
	const struct report *r = &newest->list[0];
	char folder[4200];

	out_format(&o, "ranktrace: %zu runs in ", n);
	out_clean(&o, paths[0]);
	out_format(&o, "%s, all are %s; for one run name its folder (newest: ", count > 1 ? " and others" : "", done);
	run_folder_show(r->folder ? r->folder : *report_fact(r, "job") ? report_fact(r, "job")
								       : "without a name",
			folder, sizeof(folder));
	out_clean(&o, folder);
	out_text(&o, ")\n");
	out_flush(&o);
}

/* Of which run each is, as far as their ranks are asked for; their facts stay the processes'. Returns how many. */
static size_t place_processes(struct report *reports, const struct trace *t, const struct choice *choice)
{
	struct known_runs known = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++) {
		const struct process *p = &t->processes[i];

		if (p->has_rank && !choice_has_rank(choice, true, p->rank))
			continue;
		reports[n].facts = p->facts;
		run_of_find(&known, &reports[n++], p);
	}
	run_of_free(&known);
	return n;
}

void by_run_tell_mixed(const struct trace *t, const struct choice *choice, const char *done, char *const *paths, int count)
{
	struct report *reports = alloc_zero(t->count, sizeof(*reports));
	size_t placed = place_processes(reports, t, choice), n;
	struct run_shown *runs = group(reports, placed, &n);

	if (n > (size_t)count)
		say_mixed(&runs[n - 1], n, done, paths, count);
	for (size_t i = 0; i < n; i++)
		free(runs[i].list);
	free(runs);
	for (size_t i = 0; i < placed; i++) {
		free(reports[i].folder);
		free(reports[i].command);
	}
	free(reports);
}

/* ---- a run that recorded nothing ---- */

/* Does it have a file? newest: the latest beginning of one that is elsewhere. */
static bool has_files(const struct trace *t, const char *folder, uint64_t *newest)
{
	size_t n = strlen(folder);
	bool some = false;

	for (size_t i = 0; i < t->count; i++) {
		const struct trace_file *f = &t->processes[i].files[0];

		if (!strncmp(f->path, folder, n) && f->path[n] == '/')
			some = true;
		else if (f->first_realtime > *newest)
			*newest = f->first_realtime;
	}
	return some;
}

static char *silent_line(const struct trace *t, const char *folder, uint64_t *latest)
{
	struct run *run = alloc_zero(1, sizeof(*run));
	char *line = NULL, shown[4200], of[4200];
	uint64_t newest = 0, started;

	if (!has_files(t, folder, &newest) && !run_folder_read(run, folder, of, sizeof(of))) {
		started = run_started(run);
		if (started > newest && started > *latest) {
			run_folder_show(folder, shown, sizeof(shown));
			if (asprintf(&line, "the newest run here recorded nothing (%s, started %.19sZ: %s): `ranktrace check %s` says why",
				     strrchr(folder, '/') + 1, run->started, run->command_line ? run->command_line : "", shown) < 0)
				line = NULL;
			*latest = started;
		}
	}
	run_free(run);
	free(run);
	return line;
}

char *by_run_silent_line(const struct trace *t, char *const *paths, int count)
{
	struct run_folders folders = { 0 };
	uint64_t latest = 0;
	char *line = NULL, *later;

	for (int i = 0; i < count; i++)
		run_folders_find(&folders, paths[i]);
	for (size_t i = 0; i < folders.count; i++) {
		later = silent_line(t, folders.list[i], &latest);
		if (later) {
			free(line);
			line = later;
		}
		free(folders.list[i]);
	}
	free(folders.list);
	return line;
}
