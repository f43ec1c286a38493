/* run_of.h - run.json beside the trace files that are reported. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/run/run_json.h"
#include "analysis/trace/trace.h"

struct known_run {
	char folder[4096];
	struct run *run;
	struct table by_name; /* uint32_t: which of its processes, + 1, by what ends the names of their files; empty: not asked yet */
};

struct known_runs { /* of the jobs met so far */
	size_t count;
	struct known_run *list;
	char *nowhere; /* the last file that has no run: nor have those beside it */
};

/* Of which run it is: started, command, folder, and as facts its preset and the version found. NULL: there is no run.json above its files. */
const struct known_run *run_of_find(struct known_runs *all, struct report *r, const struct process *p);

/* The same; and its counts, if run.json speaks of just the files that p has. */
void run_of_take(struct known_runs *all, struct report *r, const struct process *p);

/* Gives each process its run's command, as the fact run_command, where there is a run.json above its files. */
void run_of_tell(struct trace *trace);

void run_of_free(struct known_runs *all);
