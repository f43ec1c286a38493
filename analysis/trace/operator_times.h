/*
 * operator_times.h - when an operator ran on the device. What the device was asked for stands around the whole call, and what the host
 * did in it lies between, too. Where all that the operator gave the device has times, its own is from the first one's begin to the last
 * one's end.
 */
#pragma once
#include <stdbool.h>

#include "analysis/trace/pending.h"
#include "analysis/trace/trace.h"

struct operator_times {
	bool wanted; /* the process has operators and times, and somebody asks for them */
	void (*settle)(void *context, const struct trace_device *dev);
	void *context;
	struct table rings;		/* struct operator_ring by ring */
	struct pending early;		/* of what operators gave: before it is known by which one */
	struct pending owns;		/* of operators that are not there yet: duration_ns is the place in `kept` */
	struct trace_device *kept;	/* of operators, until they are settled */
	uint32_t count, capacity, free; /* of kept; free: the first unused one + 1, chained by slot */
};

/* settle: is given each device time, at once or later. */
void operator_times_begin(struct operator_times *o, const struct process *p, void (*settle)(void *context, const struct trace_device *dev),
			  void *context);

/* Calls of one ring, in its order, with all that is known of them. */
void operator_times_calls(struct operator_times *o, const struct trace_event *list, size_t count);

/* What comes next of this ring comes behind calls that are lost. */
void operator_times_gap(struct operator_times *o, uint32_t ring);

/* Gives it to settle: an operator's when what it gave has times. */
void operator_times_device(struct operator_times *o, const struct trace_device *dev);

/* Settles what is left as it is. */
void operator_times_end(struct operator_times *o);
