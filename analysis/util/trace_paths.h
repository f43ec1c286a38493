/* trace_paths.h - the trace files under the paths that a user gave. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct files {
	size_t count, capacity;
	char **paths;
	bool trouble; /* a path could not be read; said on stderr */
};

/* A file is taken whatever its name, of a folder all *.rtrace and *.rtrace.part at any depth. */
void files_find(struct files *f, const char *path);
void files_free(struct files *f);

/* Two names of one file, or of one folder. */
bool files_same(const char *a, const char *b);

/* Is there one, at any depth? */
bool files_are_below(const char *path);

/* A trace by its name or by its first bytes, however damaged. */
bool files_is_trace(const char *path);
