/* acl_launches.c - AscendCL: kernels, callbacks, graphs, single operators. */
#include "tests/sims/ascend/below.h"
#include <stdlib.h>
#include <string.h>

/* ---- kernels ---- */

aclError do_aclrtBinaryLoadFromFile(const char *binPath, aclrtBinaryLoadOptions *options, aclrtBinHandle *binHandle)
{
	return sim_binary_new(binHandle);
}

aclError do_aclrtBinaryLoadFromData(const void *data, size_t length, const aclrtBinaryLoadOptions *options, aclrtBinHandle *binHandle)
{
	return sim_binary_new(binHandle);
}

aclError do_aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle *binHandle)
{
	return sim_binary_new(binHandle);
}

aclrtBinary do_aclrtCreateBinary(const void *data, size_t dataLen)
{
	void *binary = NULL;

	sim_binary_new(&binary);
	return binary;
}

aclError do_aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char *kernelName, aclrtFuncHandle *funcHandle)
{
	return sim_function_of(binHandle, kernelName, funcHandle);
}

aclError do_aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char *funcName, const char *kernelName, aclrtFuncHandle *funcHandle)
{
	return sim_function_of(handle, kernelName, funcHandle);
}

aclError do_aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char *name)
{
	if (!sim_is(funcHandle, SIM_FUNCTION) || !name || !maxLen)
		return SIM_ERROR_RT_PARAM_INVALID;
	strncpy(name, ((struct sim_function *)funcHandle)->name, maxLen - 1);
	name[maxLen - 1] = '\0';
	return 0;
}

/* The thin library's own launches go through the next one below (libacl_rt_impl.so), where programs may look in. */
#ifdef SIM_OVER_RT
#define LAUNCH_BELOW(impl, own) own
#else
#define LAUNCH_BELOW(impl, own) impl
#endif

static int launch(aclrtFuncHandle function, aclrtStream stream, const void *args, size_t size)
{
	return BELOW(rtLaunchKernelByFuncHandleV3(function, 1, (struct { const void *args; size_t size; }[]){ { args, size } }, stream, NULL),
		     sim_launch(function, stream, args, size));
}

aclError do_aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize, aclrtStream stream)
{
	return LAUNCH_BELOW(aclrtLaunchKernelImpl(funcHandle, numBlocks, argsData, argsSize, stream), launch(funcHandle, stream, argsData, argsSize));
}

aclError do_aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize,
				aclrtLaunchKernelCfg *cfg, aclrtStream stream)
{
	return LAUNCH_BELOW(aclrtLaunchKernelV2Impl(funcHandle, numBlocks, argsData, argsSize, cfg, stream),
			    launch(funcHandle, stream, argsData, argsSize));
}

aclError do_aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg *cfg,
					aclrtArgsHandle argsHandle, void *reserve)
{
	return LAUNCH_BELOW(aclrtLaunchKernelWithConfigImpl(funcHandle, numBlocks, stream, cfg, argsHandle, reserve),
			    launch(funcHandle, stream, NULL, 0));
}

aclError do_aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg *cfg,
					  void *hostArgs, size_t argsSize, aclrtPlaceHolderInfo *placeHolderArray, size_t placeHolderNum)
{
	return LAUNCH_BELOW(aclrtLaunchKernelWithHostArgsImpl(funcHandle, numBlocks, stream, cfg, hostArgs, argsSize, placeHolderArray, placeHolderNum),
			    launch(funcHandle, stream, hostArgs, argsSize));
}

aclError do_aclrtLaunchKernelWithArgsArray(void *func, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg *cfg, void **args)
{
	return launch(func, stream, NULL, 0);
}

/* ---- functions of the host ---- */

struct host_call {
	void (*function)(void *);
	void *data;
};

static void run_host_call(const void *args)
{
	const struct host_call *h = args;
	uint32_t was = sim_outside();

	h->function(h->data);
	sim_inside(was);
}

static int call_host(void (*function)(void *), void *data, aclrtStream stream)
{
	struct host_call h = { function, data };

	if (!function)
		return SIM_ERROR_RT_PARAM_INVALID;
	return sim_submit(stream, &(struct sim_task){ .kind = SIM_HOST, .name = "host", .run = run_host_call, .args = &h, .size = sizeof(h) });
}

aclError do_aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType, aclrtStream stream)
{
	return call_host(fn, userData, stream);
}

aclError do_aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args)
{
	return call_host(fn, args, stream);
}

/* ---- graphs ---- */

aclError do_aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode)
{
	return sim_capture_begin(stream);
}

aclError do_aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI)
{
	return sim_capture_end(stream, modelRI);
}

aclError do_aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus *status, aclmdlRI *modelRI)
{
	return sim_capture_info(stream, status, modelRI);
}

aclError do_aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream)
{
	return BELOW(rtModelExecute(modelRI, stream, 0), sim_graph_launch(modelRI, stream));
}

aclError do_aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout)
{
	return BELOW(rtModelExecuteSync(modelRI, NULL, 0, timeout), sim_graph_launch(modelRI, NULL));
}

aclError do_aclmdlRIDestroy(aclmdlRI modelRI)
{
	return sim_graph_end(modelRI);
}
