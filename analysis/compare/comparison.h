/* comparison.h - what changed from one side to the other. */
#pragma once
#include "analysis/compare/rows.h"

struct comparison {
	const struct side *sides;
	const char *paths[SIDES];
	struct rows rows; /* most change first; one of them is JOINED_TOTAL, and they add up to change */
	struct spread length[SIDES];
	int64_t change; /* ns of the median step: B's less A's */
	int64_t noise;	/* ns that steps differ by themselves: beyond that it is a change */
	bool noise_known;
	size_t marked; /* rows that are beyond it */
};

void comparison_make(struct comparison *c, const struct side sides[SIDES]);
void comparison_free(struct comparison *c);
