/* stacks.h - how many calls are known by whom they were asked for. */
#pragma once
#include "analysis/trace/trace.h"

struct stack_counts {
	uint64_t calls;			      /* that were recorded with a stack, or with why there is none: */
	uint64_t python, native;	      /* have frames of Python; of what is below */
	uint64_t lost;			      /* whose stacks' definitions are not in the files */
	uint64_t without[STACK_OF_COUNT + 1]; /* have none of Python, by enum stack_of */
};

static inline void stack_counts_take(struct stack_counts *c, const struct trace_event *ev)
{
	c->calls++;
	c->native += ev->native != NULL;
	if (ev->stack)
		c->python++;
	else if (ev->stack_lost)
		c->lost++;
	else
		c->without[ev->stack_of]++;
}
