/* entry_points.h - how often each entry point was called: events by the name of the function. */
#pragma once
#include "analysis/report/report.h"

struct entry_points {
	struct table hooks;	/* uint64_t count by number of the row */
	struct table functions; /* the same by the address of a name: of operators, as a row may stand for many */
};

void entry_points_init(struct entry_points *e);

static inline void entry_points_take(struct entry_points *e, const struct trace_event *ev)
{
	++*(uint64_t *)table_put(&e->hooks, ev->hook);
}

/* Also, of operators and their first phases. */
static inline void entry_points_take_function(struct entry_points *e, const struct trace_event *ev)
{
	++*(uint64_t *)table_put(&e->functions, (uintptr_t)ev->name);
}

/* The rows by name, each name once; the caller frees them and their names. */
struct count_row *entry_points_hand_over(struct entry_points *e, const struct defs *d, size_t *count);
