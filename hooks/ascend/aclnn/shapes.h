/*
 * shapes.h - what tensors an operator is given. Those that a thread has made since its last first phase are the next one's; their
 * descriptions are what aclCreateTensor was given, looked at when it had succeeded. Nobody is asked.
 */
#pragma once
#include "hooks/ascend/abi/abi.h"
#include "hooks/ascend/aclnn/given.h"
#include "hooks/link/arguments.h"

/* kind: GIVEN_KIND() */
void shapes_tensor(const aclTensor *tensor, const int64_t *dims, uint64_t count, uint64_t kind);
void shapes_end_tensor(const aclTensor *tensor); /* before the real end */
void shapes_list(const aclTensorList *list, const aclTensor *const *tensors, uint64_t count);
void shapes_end_list(const aclTensorList *list); /* and of its tensors */

/* The next plan of this thread is kept under this key; 0: it is not. */
void shapes_set_key(uint64_t key);

/*
 * Around a phase: tensors that an operator's own library makes meanwhile are not the program's. Its frame has these addresses, or more
 * of them: who calls from above the lowest is not inside, and the phase was left by a jump. False, and nothing to end: it is inside of another.
 */
ALWAYS_INLINE bool shapes_begin(const void *highest, const void *lowest)
{
	struct given *g = given_mine();

	if (UNLIKELY(!g || given_in_phase(g, highest)))
		return false;
	g->phase = lowest;
	return true;
}

/* Has an exception or a jump ended it from inside, some of the tensors that there are may be its library's. */
ALWAYS_INLINE void shapes_end(void)
{
	struct given *g = given_known();

	if (!g)
		return;
	if (UNLIKELY(!g->phase))
		given_take(g);
	g->phase = NULL;
}

/* This thread's tensors belong to an operator that has its plan: the next has none of them. */
ALWAYS_INLINE void shapes_taken(void)
{
	struct given *g = given_known();

	if (g)
		given_take(g);
}

/*
 * DEF_LAUNCH id of an operator of this name (DEF_STRING id) that is given these tensors, or none (NULL): in the order of the first so
 * many of its first phase's arguments, as torch_npu makes them in any order, its compiler's. Those that are in none of them come last.
 */
uint64_t shapes_launch(struct given *g, uint64_t name, const struct arguments *a, size_t count);
