/* plan_join.h - which operator a first phase (prepare) was for: the next one that is run with its plan and has its name. */
#pragma once
#include "analysis/trace/trace.h"

struct plans {
	struct table made; /* struct place, by address */
	uint64_t count;
};

struct plan {
	uint64_t number;  /* from 1; 0: there is none, or it was run */
	uint64_t end_ns;  /* when its first phase was over: no operator before was run with it */
	const char *name; /* of the first phase */
};

/* A first phase may begin while the plan that was here before it still waits for its operator on another thread. */
struct place {
	struct plan older, newer;
};

#define PLANS ((struct plans){ .made = TABLE(struct place) })

uint64_t plans_find(struct plans *p, const struct trace_event *ev);

/*
 * Events of a process come by begin. A first phase gets a number, and so does the operator: the same. 0: neither, or it was a
 * plan that was run before, or made where nothing was recorded.
 */
static inline uint64_t plans_number(struct plans *p, const struct trace_event *ev)
{
	return ev->plan ? plans_find(p, ev) : 0;
}

void plans_free(struct plans *p);
