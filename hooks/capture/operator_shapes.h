/*
 * operator_shapes.h - operators by the tensors that they are given: one DEF_LAUNCH for a name with a list of them, defined once
 * for each list that is different. Any vendor's.
 */
#pragma once
#include "agent/format/trace_file.h"
#include "agent/record/gate.h"
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
