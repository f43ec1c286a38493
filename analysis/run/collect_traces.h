/* collect_traces.h - what trace files alone tell of a run, where nobody wrote it down. */
#pragma once
#include "analysis/run/run_json.h"

/*
 * Adds a process to r for every process that has traces below path; of a launch other than this one
 * (NULL: of any) they are left out. What was asked for is put into r->asked if r had no process yet.
 * false: a file could not be read, which is said on stderr.
 */
bool collect_traces(struct run *r, const char *path, const char *launch);
