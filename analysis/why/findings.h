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
	size_t steps_last;	       /* of a rank that others wait for in most steps, as in this one: in how many; 0: it is no such */
	bool is_slowest;	       /* all of its rank's steps are longer than those of other ranks; this is one of the middle */
	bool stands_out;	       /* it is longer than its reference differs by itself */
};

struct findings_of_run {
	size_t count, capacity, more; /* more: slow steps that are not told of */
	struct why_finding *list;     /* most excess first; behind them first steps, in which all is started */
};

/* Its excess; reference: what it is compared with, and owned by the finding from here on. own: without waiting. */
void why_finding_make(struct why_finding *f, const struct why_rank *rank, const struct why_step *step, struct reference reference, bool own);

/* And the causes of that. */
void why_finding_explain(struct why_finding *f, const struct why_run *run);
void why_finding_free(struct why_finding *f);

/*
 * Of the steps and ranks that were asked for; of all, where none were, the slowest ones, each by the rank at its root, and behind
 * them ranks that others wait for in most steps.
 */
void why_findings_make(struct findings_of_run *all, const struct why_run *run, const struct choice *asked);
void why_findings_free(struct findings_of_run *all);
