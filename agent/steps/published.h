/* published.h - the number of the step that comes next, as the process that is told it publishes it for the others of its run on this host. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

void published_tell(int64_t step);

/* What was told last by one that lives. False: nobody has told any. Reads files: for step boundaries. */
bool published_find(int64_t *step);
