/* interned_names.h - ids for names of kernels and operators, and for launches of them at one size. Any vendor's. */
#pragma once
#include <stddef.h>
#include "agent/record/handles.h"
#include "agent/record/record.h"
#include "agent/session/session.h"

/*
 * DEF_STRING id of a name, 0 if there is no room. *matches: a kernel: step source waits for it.
 * NAME_LATER: a signal handler asks for a name not seen before, which takes memory.
 */
#define NAME_LATER UINT64_MAX
uint64_t name_id(const char *name, bool *matches);

/* hash of name and sizes: a = DEF_LAUNCH id */
extern struct handles launch_ids OURS;

/* A sum of products: none waits for another. The table mixes once more. Never 0. */
ALWAYS_INLINE uint64_t launch_hash(uint64_t name, uint32_t dims, const size_t *global, const size_t *local)
{
	static const size_t none[3];
	uint64_t h = (name << 32 | session_generation) * 0xC2B2AE3D27D4EB4Full;

	h += (dims * 2 + !!local) * 0x165667B19E3779F9ull;
	if (!local)
		local = none;
	if (dims > 2)
		h += global[2] * 0xE7037ED1A0B428DBull + local[2] * 0x1D8E4E27C47D124Full;
	if (dims > 1)
		h += global[1] * 0xA0761D6478BD642Full + local[1] * 0x589965CC75374CC3ull;
	if (dims)
		h += global[0] * 0xD6E8FEB86659FD93ull + local[0] * 0x8EBC6AF09C88C6E3ull;
	return h | 1;
}

uint64_t launch_id_slowly(uint64_t name, uint32_t dims, const size_t *global, const size_t *local);

/* The same of launches that are told apart by the shared memory of their blocks, too, in bytes. */
uint64_t launch_id_shared(uint64_t name, uint32_t dims, const size_t *global, const size_t *local, uint64_t shared);

/* DEF_LAUNCH id. dims: 1 to 3, 0 if the sizes are not known; local NULL: chosen by the runtime. */
ALWAYS_INLINE uint64_t launch_id(uint64_t name, uint32_t dims, const size_t *global, const size_t *local)
{
	struct handle_slot *s = handles_peek(&launch_ids, launch_hash(name, dims, global, local));

	return LIKELY(s) ? atomic_load_explicit(&s->a, memory_order_relaxed) : launch_id_slowly(name, dims, global, local);
}
