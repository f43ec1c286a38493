/* preset_choice.h - which of a package's presets fits the version that a command would import. */
#pragma once
#include "config/config.h"

/* The preset that was asked for, "" if none: where a package is not there, its name may tell the version. */
void preset_wanted(const char *wanted);

/* Whose Python is asked. Without a command nobody is. */
void preset_command(char *const *command);

/* The version of a package that is installed there, asked for once; NULL: it cannot be told. */
const char *preset_version(const char *package);

/* Where c->preset names a package, it names one of its presets then; which one, and why, is said on stderr. */
void preset_choose(struct config *c);
