/* why.h - the answers, as text and as JSON. */
#pragma once
#include "analysis/why/clocks.h"
#include "analysis/why/findings.h"

struct why_answer {
	const struct why_run *run;
	const struct findings_of_run *findings;
	const struct clocks *clocks;
	bool alone;	    /* of some collectives one rank was recorded only */
	char *const *paths; /* of the command line, for commands that show the evidence */
	int path_count;
};

void why_text(struct out *o, const struct why_answer *a);
void why_json(struct out *o, const struct why_answer *a);
