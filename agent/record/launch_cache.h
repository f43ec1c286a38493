/*
 * launch_cache.h - what this thread launched lately. A launch like one before need not be looked up: one
 * line of memory knows its function, queue, sizes, and what they are called in the trace.
 *
 * A table belongs to one thread, and only calls that are inside of no other use it (wrap.h, the short
 * way), so nothing here need be atomic but the stamp.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"

struct launch {
	_Alignas(64) uint64_t stamp; /* launch_cache_stamp when this was learnt; 0: nothing here */
	uint64_t function, queue;    /* the vendor's handles */
	void *real;		     /* the entry point behind the hook */
	uint32_t key;		     /* DEF_LAUNCH id */
	union {
		uint32_t dims;	 /* 1 to 3 */
		uint32_t shared; /* of a launch in blocks (short_ways.h), which has always three, where it is told: bytes of shared memory */
	};
	uint32_t global[3];
	int16_t local[3]; /* LAUNCH_LOCAL_NONE: the runtime chose */
	uint16_t unlike;  /* how often the sizes were others */
	uint32_t names;	  /* hook | DEF_STREAM id << 16 */
};
_Static_assert(sizeof(struct launch) == 64, "one cache line");

#define LAUNCH_LOCAL_NONE INT16_MIN /* as a size_t, beyond all that a runtime takes */
#define LAUNCH_SETS_BITS  8	    /* sets of two */

/*
 * Bit 0: did the last launch match the kernel: step source? A launch for which the answer is another is
 * unlike any that was learnt, so the source is told of it. The rest counts: it grows whenever something
 * learnt may have become wrong, because a handle's life has ended or begun, or a provider is in doubt.
 */
extern _Atomic uint64_t launch_cache_stamp OURS;

ALWAYS_INLINE uint64_t launch_cache_now(void)
{
	return atomic_load_explicit(&launch_cache_stamp, memory_order_acquire);
}

/* What was learnt before is void. Called after the change, so that nobody learns the old state anew. */
ALWAYS_INLINE void launch_cache_void(void)
{
	atomic_fetch_add(&launch_cache_stamp, 2);
}

/* Sets bit 0; true if that changed it. */
bool launch_cache_set_match(bool matches);

/* The table of the thread with this place (ring_header.place); NULL if there is no memory. */
struct launch *launch_cache_of(uint32_t place);

/* Where a launch of this function would be: here, or in the next place. */
ALWAYS_INLINE struct launch *launch_cache_set(struct launch *table, uint64_t function)
{
	return table + (function * 0x9E3779B97F4A7C15ull >> (64 - LAUNCH_SETS_BITS)) * 2;
}

/* A place for it: its own, or that of the one that was put there earlier. */
struct launch *launch_cache_place(struct launch *table, uint64_t function);

/* Are these the sizes? They are looked at after the call, which they made succeed. */
ALWAYS_INLINE bool launch_sizes_are(const struct launch *l, const size_t *global, const size_t *local)
{
	static const size_t none[3] = { (size_t)LAUNCH_LOCAL_NONE, (size_t)LAUNCH_LOCAL_NONE,
					(size_t)LAUNCH_LOCAL_NONE };

	if (!local)
		local = none;
	if (UNLIKELY(global[0] != l->global[0] || local[0] != (size_t)l->local[0]))
		return false;
	if (l->dims == 1)
		return true;
	if (UNLIKELY(global[1] != l->global[1] || local[1] != (size_t)l->local[1]))
		return false;
	return l->dims == 2 || (global[2] == l->global[2] && local[2] == (size_t)l->local[2]);
}

/* The sizes were others: is it time to remember them? Not each time, for a program that has two in turn. */
ALWAYS_INLINE bool launch_unlike(struct launch *l)
{
	return ++l->unlike % 4 == 0;
}

/* Remembers the sizes and their name; voids the entry if they do not fit into it. */
void launch_cache_resize(struct launch *l, uint64_t key, uint32_t dims, const size_t *global, const size_t *local);
