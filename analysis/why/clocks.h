/*
 * clocks.h - ranks of several hosts on one clock. All members of a collective leave it nearly together: the median of how far apart two hosts
 * say that they did is how far apart their clocks are, and what the differences spread by is how far that can be trusted.
 */
#pragma once
#include "analysis/why/ranks.h"

struct host_clock {
	const char *host;
	bool known;	  /* it met the first host */
	int64_t offset;	  /* ns; to be added to its times for those of the first host */
	int64_t residual; /* ns: 1.4826 medians of the distances from it; of the first host 0 */
	size_t meetings;  /* that tell it */
};

struct clocks {
	size_t count;
	struct host_clock *hosts;
	uint32_t *of_rank; /* its host, by rank of run->ranks */
};

#define RESIDUALS_TO_TELL 3 /* less than so many of them apart nothing is said of who came first */

void clocks_align(struct clocks *c, const struct why_run *run);

static inline const struct host_clock *clocks_of(const struct clocks *c, uint32_t rank)
{
	return &c->hosts[c->of_rank[rank]];
}

void clocks_free(struct clocks *c);
