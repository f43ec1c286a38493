/* timeline.h - from one clock to another, piecewise linear over pairs read at the same moment. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct knot {
	uint64_t from, to;
	uint64_t width; /* the pair is right to within this many ns */
	uint64_t rate;	/* `to` per `from` unit up to the next knot, 48 binary digits */
};

struct timeline {
	size_t count, capacity;
	struct knot *knots;
	uint64_t rate;	  /* outside the knots */
	struct knot last; /* that served the last conversion ... */
	uint64_t reach;	  /* ... and serves numbers so far behind it */
};

#define TIMELINE_ONE (1ull << 48) /* rate of two clocks in the same unit */
#define TIMELINE_MAX 65536	  /* knots at a time */

void timeline_add(struct timeline *t, uint64_t from, uint64_t to, uint64_t width);

/*
 * Sorts, and thins to knots at least `spacing` and 1000 widths apart (noise of two close readings
 * would bend the line), the narrower one staying. alone: the rate if only one knot is left.
 */
void timeline_finish(struct timeline *t, uint64_t spacing, uint64_t alone);

uint64_t timeline_find(struct timeline *t, uint64_t from);

static inline uint64_t timeline_scale(uint64_t difference, uint64_t rate)
{
	return (uint64_t)((unsigned __int128)difference * rate >> 48);
}

/* Never decreasing in `from`. Without knots both clocks are one. */
static inline uint64_t timeline_convert(struct timeline *t, uint64_t from)
{
	if (from - t->last.from < t->reach)
		return t->last.to + timeline_scale(from - t->last.from, t->last.rate);
	return timeline_find(t, from);
}
void timeline_free(struct timeline *t);
