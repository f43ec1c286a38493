/* findings.h - which steps of which ranks are told of, and where their causes lie. */
#pragma once
#include "analysis/trace/choice.h"
#include "analysis/why/causes.h"

#define FINDINGS_MOST 5 /* slow steps that are told of where none was asked for */

struct why_finding {
	const struct why_rank *rank;
	const struct why_step *step;
	struct reference reference;
	struct causes causes;
	struct why_finding *waits_for; /* its largest cause is waiting for this rank, which was late in this step; NULL: it is not */
	size_t waiting;		       /* so many ranks waited for it */
	bool stands_out;	       /* it is longer than its reference differs by itself */
};

struct findings_of_run {
	size_t count, capacity;
	struct why_finding *list; /* most excess first */
};

/*
 * Of the steps and ranks that were asked for; of all, where none were, the slowest ones, each by the rank at its root. by_rank: ranks were
 * asked for, and each is told of itself.
 */
void why_findings_make(struct findings_of_run *all, const struct why_run *run, const struct choice *asked);
void why_findings_free(struct findings_of_run *all);
