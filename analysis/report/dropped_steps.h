/* dropped_steps.h - in which steps calls were dropped, as far as the trace tells. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/trace/trace.h"
#include "analysis/util/out.h"

#define DROPPED_PLACES 256 /* in a process; of what is beyond them the step is not told */

struct dropped_place {
	int64_t first, last;		  /* steps; STEP_NULL: outside all */
	uint64_t calls, begin_ns, end_ns; /* when the first and the last of them were entered */
};

struct dropped_steps {
	struct dropped_place list[DROPPED_PLACES];
	size_t count;
};

void dropped_steps_take(void *kept, const struct trace_lost *lost);

/* Were there any in this step, or may there have been? */
bool dropped_steps_has(const struct report *r, int64_t step);

/* Of some it is not told in which: all may have lost some. */
bool dropped_steps_untold(const struct report *r);

/* The same of a part of time, which began in this step. */
bool dropped_steps_between(const struct report *r, uint64_t begin_ns, uint64_t end_ns, int64_t step);

/* A line; nothing where no call was dropped. */
void dropped_steps_line(struct out *o, const struct report *r);

/* A member of an object: ,"dropped_in":[{"first_step","last_step","calls"}] */
void dropped_steps_json(struct out *o, const struct report *r);
