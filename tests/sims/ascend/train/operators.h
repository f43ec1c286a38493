/* operators.h - prototypes of the operators that the program calls. */
#pragma once
#include "tests/sims/ascend/abi.h"

#define SECOND_PHASE(op) aclnnStatus aclnn##op(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
#define OPERATOR(op, ...)                                                                                        \
	aclnnStatus aclnn##op##GetWorkspaceSize(__VA_ARGS__, uint64_t *workspaceSize, aclOpExecutor **executor); \
	SECOND_PHASE(op);

OPERATOR(Matmul, const aclTensor *self, const aclTensor *mat2, aclTensor *out, int8_t cubeMathType)
OPERATOR(Sub, const aclTensor *self, const aclTensor *other, const aclScalar *alpha, aclTensor *out)
OPERATOR(Mul, const aclTensor *self, const aclTensor *other, aclTensor *out)
OPERATOR(Muls, const aclTensor *self, const aclScalar *other, aclTensor *out)
OPERATOR(Adds, const aclTensor *self, const aclScalar *other, const aclScalar *alpha, aclTensor *out)
OPERATOR(ReduceSum, const aclTensor *self, const aclIntArray *dims, bool keepDims, aclDataType dtype, aclTensor *out)
OPERATOR(Addmm, const aclTensor *self, const aclTensor *mat1, const aclTensor *mat2, const aclScalar *beta, const aclScalar *alpha, aclTensor *out,
	 int8_t cubeMathType)
OPERATOR(InplaceCopy, aclTensor *selfRef, const aclTensor *src)

#define PHASES(F, op) F(libopapi, aclnn##op##GetWorkspaceSize) F(libopapi, aclnn##op)
#define OPERATORS(F)         \
	PHASES(F, Matmul)    \
	PHASES(F, Sub)       \
	PHASES(F, Mul)       \
	PHASES(F, Muls)      \
	PHASES(F, Adds)      \
	PHASES(F, ReduceSum) \
	PHASES(F, InplaceCopy)
