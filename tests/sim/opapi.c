/* opapi.c - a library of operators: both phases of each row of ROWS. */
#include "tests/sim/ops.h"

#define EXPORT __attribute__((visibility("default")))
#define OP(op, count, types, function, bytes)                                                                                              \
	static struct nnop_operator operator_##op = { .name = #op, .operands = types, .compute = compute_##function, .workspace = bytes }; \
	EXPORT aclnnStatus aclnn##op##GetWorkspaceSize(OP_##count);                                                                        \
	aclnnStatus aclnn##op##GetWorkspaceSize(OP_##count)                                                                                \
	{                                                                                                                                  \
		static struct sim_row row = { SIM_LIBRARY, "aclnn" #op "GetWorkspaceSize", 0, { 0 } };                                     \
		int rc = sim_enter(&row);                                                                                                  \
                                                                                                                                           \
		rc = rc ? rc : nnop_plan(&operator_##op, (const uint64_t[]){ GIVEN_##count });                                             \
		sim_leave();                                                                                                               \
		return rc;                                                                                                                 \
	}                                                                                                                                  \
	EXPORT aclnnStatus aclnn##op(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream);                         \
	aclnnStatus aclnn##op(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream)                                 \
	{                                                                                                                                  \
		static struct sim_row row = { SIM_LIBRARY, "aclnn" #op, 0, { 0 } };                                                        \
		int rc = sim_enter(&row);                                                                                                  \
                                                                                                                                           \
		rc = rc ? rc : size < bytes ? SIM_ERROR_INVALID_PARAM                                                                      \
					    : nnop_execute(&operator_##op, executor, stream);                                              \
		sim_leave();                                                                                                               \
		return rc;                                                                                                                 \
	}

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wtype-limits"
#include ROWS

/* An operator of which only the name is known: it plans nothing, and its kernel does nothing but take its time. */
#define PLAIN(op)                                                                                                  \
	static struct nnop_operator operator_##op = { .name = #op };                                               \
	EXPORT aclnnStatus aclnn##op##GetWorkspaceSize(void);                                                      \
	aclnnStatus aclnn##op##GetWorkspaceSize(void)                                                              \
	{                                                                                                          \
		static struct sim_row row = { SIM_LIBRARY, "aclnn" #op "GetWorkspaceSize", 0, { 0 } };             \
		int rc = sim_enter(&row);                                                                          \
                                                                                                                   \
		sim_leave();                                                                                       \
		return rc;                                                                                         \
	}                                                                                                          \
	EXPORT aclnnStatus aclnn##op(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream); \
	aclnnStatus aclnn##op(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream)         \
	{                                                                                                          \
		static struct sim_row row = { SIM_LIBRARY, "aclnn" #op, 0, { 0 } };                                \
		int rc = sim_enter(&row);                                                                          \
                                                                                                                   \
		rc = rc ? rc : nnop_execute(&operator_##op, NULL, stream);                                         \
		sim_leave();                                                                                       \
		return rc;                                                                                         \
	}
#ifdef MORE_ROWS
#include MORE_ROWS
#endif
