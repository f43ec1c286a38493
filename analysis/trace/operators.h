/*
 * operators.h - which operator a call belongs to: the one that its thread is inside of; and which one a first phase
 * (prepare) was for: the next one that is run with its plan and has its name. Events of a process come by begin.
 */
#pragma once
#include "analysis/trace/trace.h"

struct operators {
	struct table threads; /* struct operator_stack, by thread */
	struct table plans;   /* struct plans_at, by address */
	uint64_t planned;     /* first phases so far */
	uint32_t around_ring; /* of the operator around the event that was asked for last ... */
	uint64_t around_slot; /* ... and where it stands there */
};

struct open_operator {
	uint64_t end; /* ns */
	const char *name;
	uint32_t ring;
	uint64_t slot;
};

struct operator_stack {
	size_t count, capacity;
	struct open_operator *open; /* the innermost last */
};

struct plan {
	uint64_t number;  /* from 1; 0: there is none, or it was run */
	uint64_t end_ns;  /* when its first phase was over: no operator before was run with it */
	const char *name; /* of the first phase */
};

/* A first phase may begin while the plan that was here before it still waits for its operator on another thread. */
struct plans_at {
	struct plan older, newer;
};

#define OPERATORS ((struct operators){ .threads = TABLE(struct operator_stack), .plans = TABLE(struct plans_at) })

const char *operators_find(struct operators *o, const struct trace_event *ev);
uint64_t operators_find_plan(struct operators *o, const struct trace_event *ev);

/* The name of the operator around this event; NULL: none. */
static inline const char *operators_around(struct operators *o, const struct trace_event *ev)
{
	return o->threads.count || ev->kind == EV_OPERATOR ? operators_find(o, ev) : NULL;
}

/*
 * A first phase gets a number, and so does its operator: the same. 0: neither, or it was a plan that was run before, or
 * made where nothing was recorded.
 */
static inline uint64_t operators_plan(struct operators *o, const struct trace_event *ev)
{
	return ev->plan ? operators_find_plan(o, ev) : 0;
}

void operators_free(struct operators *o);
