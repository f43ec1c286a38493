/* opapi.c - a library of operators: both phases of each row of ROWS. */
#include "tests/sims/ascend/ops.h"

#define EXPORT __attribute__((visibility("default")))
/* One phase: it is counted, may be made to fail, and answers what it does. */
#define PHASE(function, params, does)                                             \
	EXPORT aclnnStatus function params;                                       \
	aclnnStatus function params                                               \
	{                                                                         \
		static struct sim_row row = { SIM_LIBRARY, #function, 0, { 0 } }; \
		int rc = sim_enter(&row);                                         \
                                                                                  \
		rc = rc ? rc : (does);                                            \
		sim_leave();                                                      \
		return rc;                                                        \
	}
#define SECOND (void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream)

#define OP(op, count, types, function, bytes)                                                                                              \
	static struct nnop_operator operator_##op = { .name = #op, .operands = types, .compute = compute_##function, .workspace = bytes }; \
	PHASE(aclnn##op##GetWorkspaceSize, (OP_##count), nnop_plan(&operator_##op, (const uint64_t[]){ GIVEN_##count }))                   \
	PHASE(aclnn##op, SECOND, size < bytes ? SIM_ERROR_INVALID_PARAM : nnop_execute(&operator_##op, executor, stream))

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wtype-limits"
#include ROWS

/* An operator of which only the name is known: it plans nothing, and its kernel does nothing but take its time. */
#define PLAIN(op)                                                    \
	static struct nnop_operator operator_##op = { .name = #op }; \
	PHASE(aclnn##op##GetWorkspaceSize, (void), 0)                \
	PHASE(aclnn##op, SECOND, nnop_execute(&operator_##op, NULL, stream))
#ifdef MORE_ROWS
#include MORE_ROWS
#endif
