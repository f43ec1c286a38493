/* explain.h - why a run recorded nothing, or only a part: one sentence a cause, with the remedy. */
#pragma once
#include <stdio.h>

#include "analysis/run/run_json.h"

struct program;

/* Prints a line a cause, those of several ranks together; returns how many. */
unsigned int explain(const struct run *r, FILE *out, const char *prefix);

/* What of it was seen without us, and was not said yet; a line each. */
void explain_untraced(struct run *r, FILE *out, const char *prefix);

/* The same for a program that has not run yet. */
unsigned int explain_program(const struct program *p, FILE *out, const char *prefix);

/* What a word of launch_environment() means; 0: nothing. */
unsigned int explain_environment(const char *word, FILE *out);

/* The same of launch_packages(), which is no cause yet. */
void explain_packages(const char *word, FILE *out);
