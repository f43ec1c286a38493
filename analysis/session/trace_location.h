/*
 * trace_location.h - where the trace file of a dead process lies or belongs. The session says it, so it is believed
 * only inside save_path; what is opened, made or renamed goes by the folder's descriptor.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "agent/format/session_files.h"

struct trace_location {
	int folder; /* -1: not opened yet */
	char part[1100], final[1100];
};

/* Fills in the two names; false if the session has none. */
bool trace_location_name(const struct session_status *st, struct trace_location *l);

/* The .part file that is there (-ENOENT: none), or with make a new one. A descriptor or -errno. */
int trace_location_open(struct trace_location *l, const char *save_path, bool make);

/* Is there a file of that name in the folder? */
bool trace_location_has(const struct trace_location *l, const char *path);

/* Takes the .part away. Never over a file that is there: a second one of that name gets a number. */
int trace_location_keep(const struct trace_location *l, char *name, size_t size);
