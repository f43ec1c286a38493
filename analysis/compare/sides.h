/* sides.h - the two that are compared: whose steps, which of them, and what these differ by themselves. */
#pragma once
#include "analysis/trace/choice.h"
#include "analysis/why/reference.h"

enum { SIDE_A,
       SIDE_B,
       SIDES };

struct side {
	struct why_run run;
	struct trace *trace;
	size_t ranks; /* that were asked for */
	size_t count; /* of the steps that were asked for those that are whole: the first ones, */
	size_t told;  /* and behind them, where these are too few, the other whole steps of their ranks: only for what steps differ by */
	const struct why_step **steps;
	bool *middle;	     /* of those that were asked for: it is neither among the shortest nor among the longest three eighths */
	size_t middle_count; /* of these */
	size_t found;	     /* steps that were asked for, whole or not */
	bool by_device;	     /* they are split by what the device did */
	bool timed;	     /* it could be so, but the other side's could not */
	uint64_t peak;	     /* bytes of device memory, of the rank that has most; 0: no allocation was recorded */
	const char *lacks;   /* why the last one that is not whole is not; NULL: all are */
};

/* Reads all of a trace, as ranks that were not asked for say who waited. */
void side_read(struct side *s, struct trace *t, const struct choice *asked);

/* Of two that were read: steps that are split by the device's work, where both have some; else all are split by the host's calls, and read once more for it. */
void sides_choose(struct side sides[SIDES], const struct choice asked[SIDES]);

/* Of one trace: is each step of A one of B, too? */
bool sides_are_nested(const struct side sides[SIDES], const struct choice asked[SIDES]);

static inline bool side_knows_spread(const struct side *s)
{
	return s->told >= REFERENCE_LEAST;
}

/*
 * Of a number of each of its steps, side->told in all: the mean of those in the middle, which add up where medians do not; and how far steps differ in
 * it, or, where few steps have it at all, how far that mean can be trusted. values are put in order.
 */
struct spread side_mean(const struct side *s, int64_t *values);

/* The median of the steps that were asked for. */
struct spread side_length(const struct side *s);
void side_free(struct side *s);
