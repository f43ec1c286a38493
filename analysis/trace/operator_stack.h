/* operator_stack.h - which operator a call belongs to: the one that its thread is inside of. */
#pragma once
#include "analysis/trace/trace.h"

struct operators {
	struct table threads; /* struct operators_of, by thread */
};

#define OPERATORS_NESTED 4

struct operators_of {
	struct {
		uint64_t end; /* ns */
		const char *name;
	} open[OPERATORS_NESTED]; /* the innermost last */
	unsigned int count;
};

#define OPERATORS ((struct operators){ .threads = TABLE(struct operators_of) })

const char *operators_find(struct operators *o, const struct trace_event *ev);

/* Events of a process come by begin. The name of the operator around this one; NULL: none. */
static inline const char *operators_around(struct operators *o, const struct trace_event *ev)
{
	return o->threads.count || ev->kind == EV_OPERATOR ? operators_find(o, ev) : NULL;
}

void operators_free(struct operators *o);
