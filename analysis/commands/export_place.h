/* export_place.h - where an export goes, and what it must not meet there. */
#pragma once
#include "analysis/commands/arguments.h"
#include "analysis/commands/export_formats.h"

/* Is it an input, another trace or the record of a run, which cannot be had again? That is said. */
bool export_place_is_taken(const char *path, const struct arguments *in);

/* FOLDER/, or one that is there. */
bool export_place_is_folder(const char *path);

/*
 * A folder in that of the run, for the whole of it (all_kinds), to be freed; NULL: there is none, or it is there already, and -o is needed,
 * which is said.
 */
char *export_place_beside(const struct export_format *to, const struct arguments *in, bool all_kinds);

/* What is there of before, and has other names, stays: whoever reads all that is there reads that, too. */
void export_place_tell_of_earlier(const struct export_format *to, const char *path);
