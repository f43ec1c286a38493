/* explain.h - why a run recorded nothing, or only a part: one sentence a cause, with the remedy. */
#pragma once
#include <stdio.h>

#include "analysis/run_json.h"

struct program;

/* Prints a line a cause, those of several ranks together; returns how many. */
unsigned int explain(const struct run *r, FILE *out, const char *prefix);

/* The same for a program that has not run yet. */
unsigned int explain_program(const struct program *p, FILE *out, const char *prefix);

/* What a word of surroundings.h means; 0: nothing. */
unsigned int explain_surroundings(const char *word, FILE *out);

struct run_totals {
	unsigned int recorders; /* processes that recorded something; after exec another one */
	unsigned int ranks;	/* of how many ranks they are */
	bool all_ranked;	/* all of them know theirs */
	bool twins;		/* several are of one */
	int64_t kept, dropped;
};
struct run_totals run_totals(const struct run *r);

/* "2 ranks, 1234 events, 0 lost" */
void run_summary(const struct run *r, char *text, size_t size);
