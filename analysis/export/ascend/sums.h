/* sums.h - how often, how long, at least and at most: by name. */
#pragma once
#include <stdint.h>

#include "analysis/util/table.h"

struct sum {
	const char *name;		    /* the trace's */
	uint64_t count, total, least, most; /* ns */
	double squares;			    /* us squared */
};

#define SUMS ((struct table){ .item_size = sizeof(struct sum) }) /* struct sum by address of a name */

void sums_add(struct table *sums, const char *name, uint64_t ns);
double sum_variance(const struct sum *sum);

/* One a name, those that took longest first; the caller frees them. */
struct sum *sums_hand_over(struct table *sums, size_t *count);
