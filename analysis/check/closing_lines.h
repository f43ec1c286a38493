/* closing_lines.h - what the launcher says on stderr when all is over: how much there is, where, what is missing. */
#pragma once
#include <stdio.h>

#include "analysis/run/run_json.h"

/* "NOTHING yet: so many processes still run, and write when a window ends". */
void closing_lines_wait(const char *nothing, unsigned int running);

/* What to type for this command: its plain name only where the shell finds this very file by it. */
void closing_lines_own_name(char *name, size_t size);

/* This program as a person types it here, these words, and the folder. */
void closing_lines_command(FILE *out, const char *words, const char *folder);

void closing_lines(const struct run *r, const char *folder);
