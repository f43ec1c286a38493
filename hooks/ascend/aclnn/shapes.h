/*
 * shapes.h - what tensors an operator is given. Those that a thread has made since its last first phase are the next one's; their
 * descriptions are what aclCreateTensor was given, looked at when it had succeeded. Nobody is asked.
 */
#pragma once
#include "hooks/ascend/abi/abi.h"
#include "hooks/link/arguments.h"

struct tensor_given {
	const int64_t *dims;
	uint64_t count;
	aclDataType type;
	aclFormat format;
};

void shapes_tensor(const aclTensor *tensor, const struct tensor_given *given);
void shapes_end_tensor(const aclTensor *tensor); /* before the real end */
void shapes_list(const aclTensorList *list, const aclTensor *const *tensors, uint64_t count);
void shapes_end_list(const aclTensorList *list); /* and of its tensors */

/* The next plan of this thread is kept under this key; 0: it is not. */
void shapes_set_key(uint64_t key);
uint64_t shapes_key(void);

/*
 * Around a phase: tensors that an operator's own library makes meanwhile are not the program's. `frame` is an address in the
 * caller's frame: a phase that an exception or a jump has left is known by it.
 */
void shapes_begin(const void *frame);
void shapes_end(void);

/*
 * In the order of a first phase's arguments, of which there are so many: torch_npu makes them in any order, its
 * compiler's. Those that are in none of them come last.
 */
void shapes_arrange(const struct arguments *a, size_t count);

/* This thread's tensors belong to a first phase that is over: the next has none of them. */
void shapes_taken(void);

/* Its thread ends: whatever it was given is nobody's. */
void shapes_thread_ends(void);

/* DEF_LAUNCH id of an operator of this name (DEF_STRING id) that is given this thread's tensors. */
uint64_t shapes_launch(uint64_t name);
