/* by_run.h - which runs a report shows: each by itself, and that the newest recorded nothing. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/trace/choice.h"

/* The report as text, run by run, the newest last. */
void by_run_text(struct out *o, const struct report *reports, size_t count, const struct shown *shown);

/* Says on stderr that several runs are done (printed, exported) as one, where more were found than paths were named. */
void by_run_tell_mixed(const struct trace *t, const struct choice *choice, const char *done, char *const *paths, int count);

/* The line about a run below the paths that is newer than all in the trace and has no file; the caller frees it. NULL: there is none. */
char *by_run_silent_line(const struct trace *t, char *const *paths, int count);
