/* stacks_told.h - which of the stacks that were asked for a run cannot have. */
#pragma once
#include "config/config.h"

/* Are some asked for where level_none, of all or of a role, records none? */
bool stacks_have_no_level(const struct config *c);

/* Are native ones asked for by libunwind, and the loader, whose cache this is, would not find it? */
bool stacks_have_no_unwinder(const struct config *c, const char *cache);

/* Either is told, before the run. */
void stacks_tell(const struct config *c, void (*say)(const char *line));
