/* time_sources.h - how device times were had. */
#pragma once
#include "analysis/report/report.h"

struct time_source {
	char *name;
	uint64_t times, shortest; /* ns, of those that are not 0 */
};

struct time_sources { /* what the section keeps */
	uint64_t times;
	size_t count;
	struct time_source *list; /* of times of a known source */
	const char *last;	  /* while they come in: most often they are of the source before, */
	size_t at;		  /* that is here */
};

/* One more time, ns. source NULL: not told. */
void time_sources_take(struct time_sources *t, const char *source, uint64_t duration);

/* Below the table of steps: "TIMES device: from ..."; nothing where no source is told. */
void time_sources_line(struct out *o, const struct report *reports, size_t count);
