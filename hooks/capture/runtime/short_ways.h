/*
 * short_ways.h - launches like one that this thread made lately (agent/record/launch_cache.h). short_launch.h makes the functions of
 * the rows.
 */
#pragma once
#include "agent/record/launch_cache.h"
#include "agent/record/record.h"
#include "hooks/capture/runtime/kernels.h"
#include "hooks/capture/streams/captures.h"
#include "hooks/capture/streams/streams.h"

/* One for each vendor. */
struct short_ways {
	struct kernels *kernels;
	struct streams *streams;
};

/* What this thread knows of a function's launches; NULL: nothing that is still true. */
ALWAYS_INLINE struct launch *short_way_of(const void *function)
{
	struct launch *l = launch_cache_set(producer.launches, (uintptr_t)function);

	if (UNLIKELY(l->function != (uintptr_t)function))
		l++;
	return LIKELY(l->function == (uintptr_t)function && launch_cache_now() == l->stamp) ? l : NULL;
}

/* Was it by this hook, and did that lead to this function? Then what is asked of the vendor is asked of its library. l, real: or NULL */
ALWAYS_INLINE bool short_way_leads(const struct launch *l, unsigned int hook, void *real)
{
	if (!l || (uint16_t)l->names != hook || l->real != real)
		return false;
	producer.provider = real;
	return true;
}

/* Of a grid the blocks are kept. */
ALWAYS_INLINE bool short_way_sizes_are(const struct launch *l, dim3 grid, dim3 block)
{
	return l->global[0] == grid.x && l->global[1] == grid.y && l->global[2] == grid.z &&
	       (uint32_t)l->local[0] == block.x && (uint32_t)l->local[1] == block.y && (uint32_t)l->local[2] == block.z;
}

/*
 * Was it the same launch? Never, where shared memory is told: the queue is the handle's complement then, and short_way_differs() looks
 * at the rest.
 */
ALWAYS_INLINE bool short_way_is(const struct launch *l, void *stream, dim3 grid, dim3 block)
{
	return l->queue == (uintptr_t)stream && short_way_sizes_are(l, grid, block);
}

ALWAYS_INLINE bool short_way_end(const struct launch *l, uint64_t begin, uint64_t ticks)
{
	return LIKELY(ticks < UINT32_MAX) && record_end(&producer, producer.ring, begin, (uint32_t)ticks, l->names, l->key);
}

/* A launch that was made. */
struct short_call {
	uint64_t begin, ticks;
	void *stream;
	dim3 grid, block;
	size_t shared;
};

/* It failed. It was on another stream, of other sizes, very long, at the end of the room, under another word of the gate. */
void short_way_failed(const struct short_ways *of, struct launch *l, int32_t rc, uint64_t begin, uint64_t ticks);
void short_way_differs(const struct short_ways *of, struct launch *l, const struct short_call *made);

/* A launch that succeeded: the next like it need not be looked up. now: the cache's stamp before the call. */
struct learnt {
	unsigned int hook;
	const void *function;
	void *stream;
	dim3 grid, block;
	size_t shared;
	void *real;
	uint64_t now;
};
void short_way_learn(const struct short_ways *of, const struct learnt *l);
