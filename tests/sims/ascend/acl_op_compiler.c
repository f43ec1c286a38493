/* acl_op_compiler.c - operators that are compiled when they are called: each is a launch of a kernel of their name. */
#include "tests/sims/ascend/declare.h"
#include "tests/sims/lib/sim.h"
#include <stdio.h>
#include <string.h>

static int compile_and_launch(const char *type, aclrtStream stream)
{
	static void *binary;
	void *function;
	int rc;

	if (!binary)
		sim_binary_new(&binary);
	rc = sim_function_of(binary, type, &function);
	return rc ? rc : aclrtLaunchKernelWithHostArgs(function, 1, stream, NULL, NULL, 0, NULL, 0);
}

aclError do_aclopCompileAndExecute(const char *opType, int numInputs, const aclTensorDesc *const inputDesc[],
				   const aclDataBuffer *const inputs[], int numOutputs, const aclTensorDesc *const outputDesc[],
				   aclDataBuffer *const outputs[], const aclopAttr *attr, aclopEngineType engineType,
				   aclopCompileType compileFlag, const char *opPath, aclrtStream stream)
{
	return compile_and_launch(opType, stream);
}

aclError do_aclopCompileAndExecuteV2(const char *opType, int numInputs, aclTensorDesc *inputDesc[], aclDataBuffer *inputs[],
				     int numOutputs, aclTensorDesc *outputDesc[], aclDataBuffer *outputs[], aclopAttr *attr,
				     aclopEngineType engineType, aclopCompileType compileFlag, const char *opPath, aclrtStream stream)
{
	return compile_and_launch(opType, stream);
}

size_t do_aclGetCompileoptSize(aclCompileOpt opt)
{
	return sizeof("disable");
}

/* The default of a 910B: operators go through aclnn. */
aclError do_aclGetCompileopt(aclCompileOpt opt, char *value, size_t length)
{
	snprintf(value, length, "disable");
	return 0;
}
