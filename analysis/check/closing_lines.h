/* closing_lines.h - what the launcher says on stderr when all is over: how much there is, where, what is missing. */
#pragma once
#include "analysis/run/run_json.h"

/* "NOTHING yet: so many processes still run, and write when a window ends". */
void closing_lines_wait(const char *nothing, unsigned int running);

void closing_lines(const struct run *r, const char *folder);
