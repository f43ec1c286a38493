/* usage.h - what a command says when it was called wrongly. Each returns EXIT_USAGE. */
#pragma once
#include "analysis/util/exit.h"

/* An option's value that is none of those known. */
int usage_word(const char *option, const char *word, const char *known);

/* Nothing to read was named. */
int usage_no_path(const char *usage);
