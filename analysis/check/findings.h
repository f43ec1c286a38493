/* findings.h - what was found in a run, a sentence each, and whom it concerns. */
#pragma once
#include <stdio.h>

#include "analysis/run/run_json.h"

struct findings {
	unsigned int count, notes; /* notes: among them */
	struct finding *list;
};

/* A sentence of causes.def; its {names} get the values of the process (or NULL), the run, or its options. To be freed. */
char *findings_sentence(const struct run *r, const struct run_process *p, const char *template);

/* That, of this process. */
void findings_add(struct findings *all, const struct run *r, const struct run_process *p,
		  const char *template);

/* The same, worth a line, but nothing is wrong for sure. */
void findings_note(struct findings *all, const struct run *r, const struct run_process *p, const char *template);

/* Prints a line each and forgets them all; returns how many are more than notes. */
unsigned int findings_say(struct findings *all, FILE *out, const char *prefix);
