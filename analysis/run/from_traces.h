/* from_traces.h - what only a look into the trace files tells of a process: damage, and calls that failed. */
#pragma once
#include "analysis/run/run_json.h"
#include "analysis/trace/trace.h"

/* Of a process that is loaded. events: reads them all, which tells of both; else damage is known as far as chunks show it. */
void from_traces_inspect(struct run_process *to, struct process *p, bool events);

/* Of all processes of the run that have files below the folder. false: one cannot be read, which is said on stderr. */
bool from_traces_inspect_run(struct run *r, const char *folder);

/* The one that made these files; NULL: none. */
struct run_process *from_traces_find(const struct run *r, const struct process *p);
