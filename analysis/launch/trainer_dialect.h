/* trainer_dialect.h - trainers other than verl in a command, whose settings of their own profilers are words of it, or of files that it names. */
#pragma once
#include <stdbool.h>
#include "config/loader.h"

/* One command, a NULL behind. Finds whose it is: words, dialect, and what they name. False: nobody's that is known. */
bool trainer_dialect_find(struct loader_command *c, char *const *command);

/* Is its program somebody's that is known, or are flags among its words that tell of one? */
bool trainer_dialect_is_known(const struct loader_command *c, char *const *command);
