/* collect_traces.h - what trace files alone tell of a run, where nobody wrote it down. */
#pragma once
#include "analysis/run/run_json.h"
#include "analysis/trace/trace.h"

/* What the files of a process that is loaded tell. events: looks at them, too. */
void collect_trace(struct run_process *to, struct process *p, bool events);

/*
 * Adds a process to r for every process that has traces below path; of a launch other than this one
 * (NULL: of any) they are left out. What was asked for is put into r->asked if r had no process yet.
 * false: a file could not be read, which is said on stderr.
 */
bool collect_traces(struct run *r, const char *path, const char *launch);
