/* reference.h - what a step is compared with: the median of that rank's other whole steps; else the same step of other ranks. */
#pragma once
#include "analysis/why/ranks.h"

#define REFERENCE_LEAST 3 /* steps of the rank; with fewer other ranks are asked */

struct reference {
	size_t count;
	const struct why_step **steps;
	bool other_ranks; /* they are the same step of these */
};

/* A number of each step of a reference. */
struct spread {
	int64_t median;
	int64_t noise; /* how far numbers lie from it, as a standard deviation: 1.4826 medians of the distances (of a normal distribution) */
};

/* Those that one step of a rank is compared with; count 0: there are none. */
struct reference reference_of(const struct why_run *run, const struct why_rank *rank, const struct why_step *step);

/* The same step of other ranks, however many of its own it has. */
struct reference reference_of_others(const struct why_run *run, const struct why_rank *rank, const struct why_step *step);

/* The middle one, or between the two middle ones, and the spread. values are lost. */
struct spread reference_spread(int64_t *values, size_t count);

/* own: without waiting for other ranks. Of a rank: of all its whole steps; count: how many these are. */
struct spread reference_of_rank(const struct why_rank *rank, bool own, size_t *count);
struct spread reference_length(const struct reference *r, bool own);
void reference_free(struct reference *r);
