/* explain_process.h - why one process of a run recorded nothing, or only a part. */
#pragma once
#include <stdbool.h>

#include "analysis/check/findings.h"

/* recorded: somebody of the run did. */
void explain_process(struct findings *all, const struct run *r, const struct run_process *p, bool recorded);
