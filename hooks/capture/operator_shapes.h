/*
 * operator_shapes.h - operators by the tensors that they are given: one DEF_LAUNCH for a name with a list of them, defined once
 * for each list that is different. Any vendor's.
 */
#pragma once
#include "agent/format/trace_file.h"
#include "agent/record/gate.h"
#include "agent/record/handles.h"
#include "agent/record/recent_keys.h"
#include "agent/session/session.h"

/* Are they wanted? */
ALWAYS_INLINE bool operator_shapes_wanted(void)
{
	return (uint32_t)gate_load() & GATE_SHAPES;
}

/* At most SHAPES_TENSORS are described; left_out: how many there were, too. */
struct operator_shapes {
	const struct def_tensor *tensors;
	uint32_t count, left_out;
};

/* DEF_LAUNCH id of an operator of this name (DEF_STRING id) that is given these. Without room for them: that of its name. */
uint64_t operator_shapes_launch(uint64_t name, const struct operator_shapes *given);

/*
 * The same in two steps, for who has a hash of what was given, in its order, before it describes it. The key is of the name, too; where
 * nothing is known of it (0), the operator is to be defined.
 */
ALWAYS_INLINE uint64_t operator_shapes_key(uint64_t name, struct def_shapes shapes, uint64_t hash)
{
	return recent_keys_of(hash, recent_keys_of(name << 32 | session_generation, (uint64_t)shapes.left_out << 32 | shapes.tensors));
}

extern struct handles operator_shapes_launches OURS; /* key: a = DEF_LAUNCH id */

ALWAYS_INLINE uint64_t operator_shapes_known(uint64_t key)
{
	struct handle_slot *s = handles_peek(&operator_shapes_launches, key);

	if (UNLIKELY(!s))
		s = handles_get(&operator_shapes_launches, key);
	return LIKELY(s) ? atomic_load_explicit(&s->a, memory_order_relaxed) : 0;
}

/* shapes and bytes: of a DEF_SHAPES, whose tensors are written one behind the other. */
uint64_t operator_shapes_define(uint64_t key, uint64_t name, const struct def_shapes *shapes, const uint8_t *bytes, size_t size);

/* For hashes: all bits of both are in each bit of the result. */
ALWAYS_INLINE uint64_t operator_shapes_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The hash of one, with its next two words. No sum of products: of such there are shapes of small numbers that have the same. */
ALWAYS_INLINE uint64_t operator_shapes_more(uint64_t hash, uint64_t a, uint64_t b)
{
	return operator_shapes_fold(hash ^ a ^ 0xA0761D6478BD642Full, b ^ 0xE7037ED1A0B428DBull);
}

/* The hash of several: with that of the one that comes next. A sum, so that none waits for another; at first 0, and place 0. */
ALWAYS_INLINE uint64_t operator_shapes_join(uint64_t joined, unsigned int place, uint64_t hash)
{
	return joined + operator_shapes_fold(hash, (place + 1) * 0x9E3779B97F4A7C15ull);
}
