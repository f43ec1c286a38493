/* nnop.h - what libnnopbase offers the operators' libraries: tensors, executors and their launch. */
#pragma once
#include "tests/sims/lib/sim.h"

#define NNOP_DIMS     8
#define NNOP_OPERANDS 10

struct nnop_tensor {
	uint32_t magic; /* 0: not given */
	int type, format, ndims;
	int64_t dims[NNOP_DIMS], strides[NNOP_DIMS], offset; /* of elements */
	char *data;					     /* where the storage begins */
};

struct nnop_array {
	uint32_t magic;
	int64_t n;
	union {
		int64_t integers[64];
		float floats[64];
		bool bools[64];
		const void *objects[64];
	};
};

struct nnop_scalar {
	uint32_t magic;
	int type;
	double value;
};

struct nnop_list {
	int64_t n;
	struct nnop_tensor tensors[];
};

/* What a kernel is given: copies of everything, by the order of the first phase's arguments. */
struct nnop_operands {
	const struct nnop_operator *op;
	int n;
	union nnop_operand {
		struct nnop_tensor tensor;
		struct nnop_array array;
		struct nnop_scalar scalar;
		struct nnop_list *list;
		uint64_t number;
	} of[NNOP_OPERANDS];
};

struct nnop_operator {
	const char *name;
	const char *operands;		       /* a letter each (ops_math.def); NULL: not known */
	void (*compute)(const void *operands); /* of lists: once for the first of each, once for the second ... */
	uint64_t workspace;
	struct sim_function kernel;
	void *binary;
};

void nnop_tell_shapes(const struct nnop_operator *op, const struct nnop_operands *given); /* SIM_SHAPES */

#pragma GCC visibility push(default)

/* First and second phase. values: the operands, then the addresses of the workspace's size and of the executor. */
aclnnStatus nnop_plan(struct nnop_operator *op, const uint64_t *values);
aclnnStatus nnop_execute(struct nnop_operator *op, void *executor, aclrtStream stream);

#pragma GCC visibility pop
