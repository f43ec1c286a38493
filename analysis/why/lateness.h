/* lateness.h - who came last to collectives, how often, and how late, over all steps that were recorded. */
#pragma once
#include "analysis/util/out.h"
#include "analysis/why/meetings.h"

struct late_rank {
	const struct why_rank *rank;
	uint64_t last, collectives; /* it came last to so many of those in which another rank was seen, too */
	int64_t median, worst, sum; /* ns behind the last one of the others */
	int64_t worst_step;
	bool matters; /* the others' steps are longer for it by a hundredth, in all */
};

struct lateness {
	size_t count;
	struct late_rank *list; /* most ns first; of ranks that never came last there is none */
};

void lateness_find(struct lateness *l, const struct why_run *run, const struct clocks *clocks, const struct table *meetings);

/* A table of those that matter; and all, as a member of an object. */
void lateness_text(struct out *o, const struct lateness *l);
void lateness_json(struct out *o, const struct lateness *l);
void lateness_free(struct lateness *l);
