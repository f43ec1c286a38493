/* collectives.h - collectives by group and operation: which ranks made them, how often, how long. */
#pragma once
#include "analysis/report/report.h"

struct collective_row;

struct collectives {	   /* what the section keeps */
	struct table rows; /* struct collective_row by communicator and entry point */
	size_t count;
	struct collective_row *list; /* by group, operation and rank */
};

/* Counts one that was not nested and did not fail. */
void collectives_take(struct collectives *c, const struct trace_event *ev);

/* A device time of one. */
void collectives_time(struct collectives *c, const struct trace_device *dev);
