/* entry_points.h - how often each entry point was called: events by the name of the function. */
#pragma once
#include "analysis/report/report.h"

struct entry_point {
	char *name;
	uint64_t calls;
};

struct entry_points { /* what the section keeps */
	const struct defs *defs;
	struct table hooks;	/* uint64_t count by number of the row */
	struct table functions; /* the same by the address of a name: of operators, as a row may stand for many */
	size_t count;
	struct entry_point *list; /* by name, each name once */
};

static inline void entry_points_take(struct entry_points *e, const struct trace_event *ev)
{
	++*(uint64_t *)table_put(&e->hooks, ev->hook);
}
