/* reading.h - all that an answer is made of, read from a trace. */
#pragma once
#include "analysis/why/why.h"

struct why_reading {
	struct why_run run;
	struct findings_of_run findings;
	struct clocks clocks;
	struct lateness lateness;
	struct attendance attendance;
	struct why_answer answer;
	char program[1200]; /* what to type in place of ours */
};

/* What is asked for is compared with all that there is. The paths stay the caller's. jobs: so many ranks are read at a time; 0: as is best. */
void why_reading_open(struct why_reading *w, struct trace *t, const struct choice *asked, char *const *paths, int count, unsigned int jobs);
void why_reading_close(struct why_reading *w);
