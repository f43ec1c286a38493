/* limit_lines.h - what found no room in the agent's tables, a line each. */
#pragma once
#include "analysis/report/report.h"

/* Is there one? */
bool limit_is_reached(const struct report *r);
void limit_lines(struct out *o, const struct report *r);
