/* published.h - the number of the step that comes next, as the process that is told it publishes it for the others of its run on this host. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

void published_tell(int64_t step);

/* What was told last, if anybody lives who has told a number; else false. Reads files: for step boundaries. */
bool published_find(int64_t *step);

void published_forget(void); /* in a forked child */
