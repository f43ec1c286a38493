/* run_of.h - run.json beside the trace files that are reported. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/run/run_json.h"

struct report_job {
	char folder[4096];
	struct run *run;
};

struct report_runs { /* of the jobs met so far */
	size_t count;
	struct report_job *list;
};

/* Of which run it is: started, command and folder. NULL: there is no run.json above its files. */
const struct report_job *report_run_of(struct report_runs *all, struct report *r, const struct process *p);

/* The same; and its counts, if run.json speaks of just the files that p has. */
void report_run(struct report_runs *all, struct report *r, const struct process *p);

void report_runs_free(struct report_runs *all);
