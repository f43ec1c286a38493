/* why.h - the answers, as text and as JSON. */
#pragma once
#include "analysis/why/advice.h"
#include "analysis/why/attendance.h"
#include "analysis/why/lateness.h"

struct why_answer {
	const struct why_run *run;
	const struct findings_of_run *findings;
	const struct clocks *clocks;
	const struct lateness *lateness;     /* NULL, both: */
	const struct attendance *attendance; /* not of all steps and ranks */
	bool alone;			     /* of some collectives one rank was recorded only */
	struct why_paths paths;
};

void why_text(struct out *o, const struct why_answer *a);
void why_json(struct out *o, const struct why_answer *a);
