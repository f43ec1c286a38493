/* lines.h - the lines of the job's own code, by the calls that they asked for. */
#pragma once
#include "analysis/report/launch_rows.h"
#include "analysis/trace/own_times.h"
#include "analysis/trace/pending.h"

struct lines {
	struct launch_rows rows; /* first: the section's functions are theirs */
	struct table stacks;	 /* uint64_t by stack: the key of its row; 0: it has none */
	struct own_times own;
	struct pending calls; /* that wait for their device times */
	bool timed;	      /* which there may be */
	uint64_t forgotten;   /* calls that waited in vain for so long that they were let go */
};

/* A call with a stack, of the steps that were asked for; of one ring what lies inside another call comes before it. */
void lines_take(struct lines *l, const struct trace_event *ev);

/* A device time of one, whose event was there. */
void lines_time(struct lines *l, const struct trace_device *dev);
