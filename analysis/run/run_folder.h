/* run_folder.h - <save_path>/<job>: make it, show it, find it again with its run.json. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "analysis/run/run_json.h"

/* Makes the directories that are missing, 0700. Returns a descriptor or -errno; folder gets the name either way. */
int run_folder_make(const struct config *c, char *folder, size_t size);

/* The way a person would type it: from here if it lies below the current directory. */
void run_folder_show(const char *folder, char *text, size_t size);

/*
 * Reads the run that path belongs to: a job's directory, a save_path (its newest run), a run.json
 * or a trace file below one. Returns 0 with the job's directory in folder, -ENOENT if there is
 * none, -EINVAL if a file of it is broken: folder names it then.
 */
int run_folder_read(struct run *r, const char *path, char *folder, size_t size);

/* Goes up from a trace file or run.json to the job's directory. False: there is none. */
bool run_folder_above(const char *path, char *folder, size_t size);

#define RUN_SUMS "report.sums" /* in it, of what its reports have read before: analysis/report/sums.h */

/* When the run began, ns since the Unix epoch; 0: it is not told. */
uint64_t run_started(const struct run *r);

/* Is this a launcher's record of a run, the log of its export, or the sums of its reports, in the run's folder? */
bool run_folder_has_own(const char *path);

/* How many directories of jobs run_folders_find() finds. */
size_t run_folders_below(const char *path);

struct run_folders {
	size_t count;
	char **list; /* without links in their names */
};

/* Adds the directories of jobs that have a run.json: a path itself, those in it, and those in a folder of save_paths. */
void run_folders_find(struct run_folders *f, const char *path);
