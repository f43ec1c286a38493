/* preset_choice.h - which of a package's presets fits the version that a command would import. */
#pragma once
#include "config/config.h"

/* The preset that was asked for, "" if none: where a package is not there, its name may tell the version. */
void preset_wanted(const char *wanted);

/* Whose Python is asked. Without a command nobody is. */
void preset_command(char *const *command);

/* It goes to another folder before: what it runs from there is not looked for here. */
void preset_moves(void);

/* The program that it would run, a module or a file: what lies beside it goes before what is installed. */
void preset_program(const char *word, bool module);

/*
 * The version of a package that is there, installed or checked out, asked for once; or of the preset that was asked for by its whole name. NULL: it cannot
 * be told.
 */
const char *preset_version(const char *package);

/* Is it there, of whatever version, or was its preset asked for by its whole name? */
bool preset_is_there(const char *package);

/*
 * Where c->preset names a package, it names one of its presets then; which one, and why, is said on stderr. untold: the package whose version a trainer's
 * settings depend on, and which could not be told; NULL: none.
 */
void preset_choose(struct config *c, const char *untold);
