/* sentences.h - a cause in words. */
#pragma once
#include "analysis/util/out.h"
#include "analysis/why/findings.h"

#define SENTENCE 2048

/* Without an amount in front, and without a full stop: "between A and B on the host: 51 ms instead of 1 ms". */
void sentence_of_cause(char text[SENTENCE], const struct why_run *run, const struct why_finding *f, const struct cause *c);

/* What it is compared with: "the median of 9 other steps of the rank". */
void sentence_of_reference(char text[SENTENCE], const struct why_finding *f);
