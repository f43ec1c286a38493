/* preset_choice.h - which of a package's presets fits the version that a command would import. */
#pragma once
#include "config/config.h"

/* Where c->preset names a package, it names one of its presets then; which one, and why, is said on stderr. */
void preset_choose(struct config *c, char *const *command);
