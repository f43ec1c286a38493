/* trace_paths.h - the trace files under the paths that a user gave. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct trace_paths {
	size_t count, capacity;
	char **paths;
	bool trouble; /* a path could not be read; said on stderr */
};

/* A file is taken whatever its name, of a folder all *.rtrace and *.rtrace.part at any depth. */
void trace_paths_find(struct trace_paths *f, const char *path);
void trace_paths_free(struct trace_paths *f);

/* Two names of one file, or of one folder. */
bool trace_paths_same(const char *a, const char *b);

/* Are both in one folder, by their names? */
bool trace_paths_are_beside(const char *a, const char *b);

/* Is there one, at any depth? */
bool trace_paths_below(const char *path);

/* A trace by its name or by its first bytes, however damaged. */
bool trace_paths_is_trace(const char *path);
