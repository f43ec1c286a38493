/* own_times.h - the time of calls without that of the calls inside them. */
#pragma once
#include "analysis/trace/trace.h"

#define OWN_TIMES_MOST 4096 /* calls of a ring that one around them may come to hold */

struct own_times {
	struct table rings; /* struct recent_calls by ring */
};

#define OWN_TIMES ((struct own_times){ .rings = TABLE(struct recent_calls) })

/* The last calls of a ring that no other call holds, by begin. */
struct recent_calls {
	size_t count;
	struct recent_call *list;
};

/* ns; of the calls that are given, in the order of process_events(): of a ring what lies inside another call comes before it. */
uint64_t own_times_take(struct own_times *t, const struct trace_event *ev);
void own_times_free(struct own_times *t);
