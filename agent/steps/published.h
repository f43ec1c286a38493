/* published.h - what a process is told, and publishes for the others of its run on this host: the number of the step that comes next, its replica. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

void published_tell(int64_t step);

/* What was told last, if anybody lives who has told a number; else false. Reads files: for step boundaries. */
bool published_find(int64_t *step);

/* The replica that the nearest of this process's ancestors has told to be, as far as it is of the run and lives; else false. Reads files. */
bool published_replica(int64_t *replica);

void published_forget(void); /* in a forked child */
