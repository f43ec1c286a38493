/* reports.h - the reports of all processes of a trace, in the order in which they are shown. */
#pragma once
#include "analysis/report/sums.h"
#include "analysis/trace/choice.h"

struct reports {
	size_t count;
	struct report *list;
};

struct reports_asked {
	const struct choice *choice;
	bool all_rows;
	unsigned int jobs;  /* so many are read at a time; 0: as is best */
	struct sums *sums;  /* with which the trace was opened; NULL: none */
	char *const *paths; /* where the trace was found: processes without files are told of folders, not of files that somebody named */
	int path_count;
};

/* Of the ranks that were asked for. False: some could not be read, which was said. */
bool reports_read(struct reports *r, struct trace *t, const struct reports_asked *asked);
void reports_free(struct reports *r);
