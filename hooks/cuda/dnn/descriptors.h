/*
 * descriptors.h - cuDNN's operators by the tensors and filters that their descriptors tell of: the library is asked, about those
 * that a call has taken. What stands in plans of its graphs is not known.
 */
#pragma once
#include <stdbool.h>
#include "hooks/capture/operator_shapes.h"
#include "hooks/capture/row_names.h"
#include "hooks/cuda/dnn/abi.h"

struct described {
	const void *descriptor; /* NULL: the call does without */
	bool is_filter;
};
#define DESCRIBED_MOST 16

/* DEF_LAUNCH id of the row's operator with these, in the order of its arguments. */
uint64_t descriptors_launch(unsigned int hook, const struct described *list, unsigned int count);
