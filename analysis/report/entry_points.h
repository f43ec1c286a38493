/* entry_points.h - how often each entry point was called: events by the name of the function. */
#pragma once
#include "analysis/report/report.h"

struct entries {
	struct table hooks;	/* uint64_t count by number of the row */
	struct table functions; /* the same by the address of a name: of operators, as a row may stand for many */
};

void entries_init(struct entries *e);

static inline void entries_take(struct entries *e, const struct trace_event *ev)
{
	++*(uint64_t *)table_put(&e->hooks, ev->hook);
}

/* Also, of operators and their first phases. */
static inline void entries_take_function(struct entries *e, const struct trace_event *ev)
{
	++*(uint64_t *)table_put(&e->functions, (uintptr_t)ev->name);
}

/* The rows by name, each name once; the caller frees them and their names. */
struct count_row *entries_hand_over(struct entries *e, const struct defs *d, size_t *count);
