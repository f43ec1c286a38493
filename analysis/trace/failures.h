/* failures.h - calls that failed, by entry point and result. */
#pragma once
#include "analysis/trace/trace.h"

struct failure {
	const char *name; /* of the entry point */
	int64_t result;
	uint64_t count;
	uint64_t first; /* when the first was made, ns since the Unix epoch ... */
	int64_t step;	/* ... and in which step; STEP_NULL: in none */
};

struct failures {
	struct table rows; /* struct failure */
	uint64_t total;
	uint64_t left_out; /* of these, in no row */
};

#define FAILURES_MAX 4096 /* rows: what a broken file makes up is counted, not listed */

void failures_init(struct failures *f);

/* Takes in an event whose result is not 0. */
void failures_take(struct failures *f, const struct trace_event *ev);

/* The rows, the most frequent first, the table is empty then; the caller frees them. Names are still the trace's. */
struct failure *failures_hand_over(struct failures *f, size_t *count);
