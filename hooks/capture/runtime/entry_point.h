/* entry_point.h - whose default stream is meant by who asks a resolver for a function. Flags of CUDA's and HIP's. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/base/attributes.h"

enum { ENTRY_LEGACY = 1,       /* the context's */
       ENTRY_PER_THREAD = 2 }; /* the thread's */

/* by_default: by no flag. */
ALWAYS_INLINE bool entry_point_per_thread(uint64_t flags, bool by_default)
{
	return flags & ENTRY_PER_THREAD || (by_default && !(flags & ENTRY_LEGACY));
}
