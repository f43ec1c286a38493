/* source_kernel.h - the step source kernel:REGEX: a step ends with a run of launches that match. */
#pragma once
#include <stdbool.h>
#include "agent/base/attributes.h"
#include "agent/record/launch_cache.h"

/* Does a kernel of this name belong to a run? Slow: ask once a name. */
bool source_kernel_matches(const char *name);

/* A launch was seen while GATE_CLOCK was set. The first that does not match ends the run, and the step. */
void source_kernel_seen(bool matches);

/* The same, in line for the launch that is like the one before. */
ALWAYS_INLINE void source_kernel_launch(bool matches)
{
	if (UNLIKELY((launch_cache_now() & 1) != matches))
		source_kernel_seen(matches);
}
