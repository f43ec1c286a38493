/*
 * vendor.h - what a vendor knows of a command before it runs, and of what stood in the way of its processes. One file a vendor
 * defines its struct launch_vendor, one line of vendors.def names it. A member that is NULL is not asked.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "config/config.h"

/* A word of run.json's `environment`, or of a process's `note`, and what `ranktrace check` says of it. */
struct launch_note {
	const char *word, *sentence; /* NULL ends a list */
};

/* A library of ours that is preloaded for its name: libranktrace-<name>.so. */
struct launch_preload {
	const char *name; /* NULL ends a list */
	bool (*wanted)(const struct config *c);
	const char *lost; /* said if it is not there */
};

/* A variable that names a library which others load: ours, unless it names somebody's. */
struct launch_variable {
	const char *name; /* NULL ends a list */
	const char *lost; /* said if it is somebody's */
};

struct launch_vendor {
	const char *(*environment)(char *const *command);	      /* what stands in a program's way: a word of notes, "" if nothing */
	const char *(*preload)(void);				      /* the same of LD_PRELOAD as somebody wrote it by hand */
	const char *(*packages)(char *const *command);		      /* what may do so, by what its Python has */
	void (*before_start)(struct config *c, char *const *command); /* decides settings that wait for the command */
	const struct launch_preload *preloads;
	const struct launch_variable *variables;
	const struct launch_note *notes;
	const char *without_preload; /* how its calls are seen all the same, behind "seen with ... " */
};

#define VENDOR(name) extern const struct launch_vendor name##_launch;
#include "analysis/launch/vendors.def"
#undef VENDOR

/* The first word that a vendor has; "" if none. */
const char *launch_environment(char *const *command);
const char *launch_preload(void);
const char *launch_packages(char *const *command);

void launch_before_start(struct config *c, char *const *command);

/*
 * What stands in LD_PRELOAD behind libranktrace.so: ":path" each, below `folder` (NULL: beside the library). What is not there is
 * told on stderr.
 */
void launch_preloads(const struct config *c, const char *library, const char *folder, char *text, size_t size);

/* NAME=library lines of what names libranktrace.so, or did so before (library NULL: nobody says where it is). What is somebody's is told on stderr. */
void launch_variables(FILE *out, const char *library, bool plain);

/* Those that are somebody's, a line each. */
void launch_variables_lost(FILE *out);

/* Is this entry of the environment such a variable, and ours? */
bool launch_is_ours(const char *entry);

/* NULL: nobody has this word. */
const char *launch_sentence(const char *word);

/* ", or by ..." of all vendors. */
void launch_without_preload(char *text, size_t size);
