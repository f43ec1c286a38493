/* entry_points.h - how often each entry point was called, and how long that took: events by the name of the function. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/util/durations.h"

struct entry_point {
	char *name;
	enum event_kind kind;
	uint64_t calls, total, worst; /* ns */
	struct durations times;
	int64_t worst_step;	 /* of the longest call, the first such; STEP_NULL: outside all steps */
	const struct report *of; /* in a table of several processes: whose call that was */
};

struct entry_points { /* what the section keeps */
	const struct defs *defs;
	struct table hooks;	/* struct entry_point by number of the row */
	struct table functions; /* the same by the address of a name: of operators, as a row may stand for many */
	size_t count;
	struct entry_point *list; /* by name, each name once */
};

void entry_points_take(struct entry_points *e, const struct trace_event *list, size_t count);
