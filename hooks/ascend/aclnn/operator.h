/* operator.h - operators that are known: what aclnn.c finds, and first_phase.c and second_phase.c call. */
#pragma once
#include "hooks/capture/wrap.h"

#define FIRST_PHASE  "GetWorkspaceSize"
#define SYMBOL_BYTES 84 /* of the longest name of a phase, with its end */

/* One of the two phases of one. Never freed: its way in leads here. */
struct aclnn {
	void *real;
	uint32_t first;
	uint32_t hook;
	_Atomic uint64_t name, op_name; /* DEF_STRING id of its own and of the operator's | generation of the session << 32 */
	_Atomic uint64_t launch;	/* DEF_LAUNCH id of its own name alone, likewise */
	uint32_t op;			/* hash of the operator's name: of both phases the same */
	char symbol[SYMBOL_BYTES];
};
_Static_assert(sizeof(struct aclnn) == 128 && !offsetof(struct aclnn, real), "aclnn.S says the same");

/* What both phases of an operator have in common: a hash of its name. */
OURS uint32_t aclnn_operator_of(const char *name);

/* An exported one is called for the first time: finds its real function. */
OURS void aclnn_resolve(struct aclnn *op);

/* DEF_STRING ids of its own name and of the operator's. 0: there is no room now. */
OURS uint64_t aclnn_own_name(struct aclnn *op);
OURS uint64_t aclnn_operator_name(struct aclnn *op);
OURS uint64_t aclnn_launch_slowly(struct aclnn *op);

/* DEF_LAUNCH id of its name, no shapes. */
ALWAYS_INLINE uint64_t aclnn_launch(struct aclnn *op)
{
	uint64_t launch = atomic_load_explicit(&op->launch, memory_order_relaxed);

	return LIKELY(launch >> 32 == session_generation) ? (uint32_t)launch : aclnn_launch_slowly(op);
}
