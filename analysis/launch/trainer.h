/* trainer.h - the trainer in a command, whose own settings are words of the command, too. */
#pragma once
#include <stdbool.h>

#include "config/loader.h"

/* Finds it, and what its words name; of settings that it keeps elsewhere a line says that they are not seen. */
void trainer_find(struct loader_command *c, char *const *command);

/* Whose is named in a script that the command runs, or in a word that holds a command; NULL: nobody's. */
const char *trainer_mentioned(char *const *command);

/* Is a trainer in the command that takes verl's words? */
bool trainer_is_known(char *const *command);
