/* report_and_dump.h - a file goes the whole way that report and dump go, in the process of the test. */
#pragma once
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/report/collect.h"
#include "analysis/report/section.h"
#include "analysis/trace/trace.h"

static int work = -1; /* the file */
static char work_path[64];

static void way_open(void)
{
	work = memfd_create("damaged", 0);
	snprintf(work_path, sizeof(work_path), "/proc/self/fd/%d", work);
}

struct seen {
	uint64_t events;
	bool lost;
};

static void count_event(void *context, const struct trace_event *ev)
{
	(void)ev;
	++*(uint64_t *)context;
}

static void read_process(struct process *p, struct seen *seen)
{
	struct visitor v = { .event = count_event, .context = &seen->events };
	struct report r = { 0 };

	if (process_load(p)) {
		seen->lost = true;
		return;
	}
	process_events(p, &v);
	seen->lost |= process_lost(p);
	sections_make(&r);
	collect_events(&r, p, &CHOICE_ALL);
	report_free(&r);
}

static struct seen read_work(void)
{
	char *paths[] = { work_path };
	struct seen seen = { 0 };
	struct trace t;
	static int quiet_stderr = -1;
	int before = dup(STDERR_FILENO);

	if (quiet_stderr < 0)
		quiet_stderr = open("/dev/null", O_WRONLY);
	dup2(quiet_stderr, STDERR_FILENO); /* it complains, rightly */
	trace_open(&t, paths, 1);
	seen.lost = t.trouble;
	for (size_t i = 0; i < t.count; i++)
		read_process(&t.processes[i], &seen);
	trace_close(&t);
	dup2(before, STDERR_FILENO);
	close(before);
	return seen;
}
