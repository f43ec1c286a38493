/*
 * meeting.h - the number of a collective that several ranks meet in. Its upper half is that of all of its kind: the same entry point on
 * the same communicator.
 */
#pragma once
#include <stdint.h>

#include "analysis/util/table.h"

static inline uint64_t meeting_make(uint64_t kind, uint64_t which)
{
	return kind << 32 | (uint32_t)which | TABLE_NEAR;
}

/* Of the calls, which need not begin and end as their work does. */
static inline uint64_t meeting_by_host(uint64_t meeting)
{
	return meeting ^ 1;
}

static inline uint32_t meeting_kind(uint64_t meeting)
{
	return (uint32_t)(meeting >> 32);
}
