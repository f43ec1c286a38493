/* row_names.h - operators that are called what their entry point is called: its ids, made once in a session. Any vendor's. */
#pragma once
#include <stdatomic.h>
#include "agent/base/attributes.h"
#include "agent/session/session.h"
#include "hooks/rows/ids.h"

/* generation of the session << 32 | id */
struct row_name {
	_Atomic uint64_t name, launch;
};
extern struct row_name row_names[HOOK_COUNT] OURS;

uint64_t row_launch_slowly(unsigned int hook);
uint64_t row_name(unsigned int hook); /* DEF_STRING id */

/* DEF_LAUNCH id of its name alone. */
ALWAYS_INLINE uint64_t row_launch(unsigned int hook)
{
	uint64_t launch = atomic_load_explicit(&row_names[hook].launch, memory_order_relaxed);

	return LIKELY(launch >> 32 == session_generation) ? (uint32_t)launch : row_launch_slowly(hook);
}
