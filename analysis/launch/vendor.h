/*
 * vendor.h - what a vendor knows of a command before it runs, and of what stood in the way of its processes. One file a vendor
 * defines its struct launch_vendor, one line of vendors.def names it. A member that is NULL is not asked.
 */
#pragma once
#include <stddef.h>

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

struct launch_vendor {
	const char *(*environment)(void);			      /* what stands in a program's way: a word of notes, "" if nothing */
	const char *(*preload)(void);				      /* the same of LD_PRELOAD as somebody wrote it by hand */
	void (*before_start)(struct config *c, char *const *command); /* decides settings that wait for the command */
	const struct launch_preload *preloads;
	const struct launch_note *notes;
	const char *without_preload; /* how its calls are seen all the same, behind "seen with ... " */
};

#define VENDOR(name) extern const struct launch_vendor name##_launch;
#include "analysis/launch/vendors.def"
#undef VENDOR

/* The first word that a vendor has; "" if none. */
const char *launch_environment(void);
const char *launch_preload(void);

void launch_before_start(struct config *c, char *const *command);

/* What stands in LD_PRELOAD behind libranktrace.so: ":path" each. What is not there is told on stderr. */
void launch_preloads(const struct config *c, const char *library, char *text, size_t size);

/* NULL: nobody has this word. */
const char *launch_sentence(const char *word);

/* ", or by ..." of all vendors. */
void launch_without_preload(char *text, size_t size);
