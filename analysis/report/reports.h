/* reports.h - the reports of all processes of a trace, in the order in which they are shown. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/trace/choice.h"

struct reports {
	size_t count;
	struct report *list;
};

/* Of the ranks that were asked for. paths: where the trace was found; processes without files are told of folders, not of files that somebody named. */
void reports_read(struct reports *r, struct trace *t, const struct choice *asked, bool all_rows, char *const *paths, int path_count);
void reports_free(struct reports *r);
