/* explain_process.h - why one process of a run recorded nothing, or only a part. */
#pragma once
#include <stdbool.h>

#include "analysis/check/findings.h"

/* The sentence of its cause alone, to be freed; NULL: it has none. */
char *explain_cause(const struct run *r, const struct run_process *p);

/* recorded: somebody of the run did. */
void explain_process(struct findings *all, const struct run *r, const struct run_process *p, bool recorded);
