/* plans.h - which operator a first phase (prepare) was for: the next one that is run with its plan and has its name. */
#pragma once
#include "analysis/trace.h"

struct plans {
	struct table made; /* struct plan, by address */
	uint64_t count;
};

struct plan {
	uint64_t number;  /* from 1; 0: was run */
	const char *name; /* of the first phase */
};

#define PLANS ((struct plans){ .made = TABLE(struct plan) })

/*
 * Events of a process come by begin. A first phase gets a number, and so does the operator: the same. 0: neither, or it was a
 * plan that was run before, or made where nothing was recorded.
 */
uint64_t plans_number(struct plans *p, const struct trace_event *ev);
void plans_free(struct plans *p);
