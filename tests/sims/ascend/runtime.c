/* runtime.c - libruntime: the layer below AscendCL. */
#include "tests/sims/lib/copies.h"
#include "tests/sims/ascend/declare.h"

/* ---- memory ---- */

rtError_t do_rtMalloc(void **devPtr, uint64_t size, rtMemType_t type, const uint16_t moduleId)
{
	return sim_malloc(devPtr, size, true);
}

rtError_t do_rtMallocHost(void **hostPtr, uint64_t size, const uint16_t moduleId)
{
	return sim_malloc(hostPtr, size, false);
}

rtError_t do_rtFree(void *devPtr)
{
	return sim_free(devPtr);
}

rtError_t do_rtFreeHost(void *hostPtr)
{
	return sim_free(hostPtr);
}

rtError_t do_rtReserveMemAddress(void **devPtr, size_t size, size_t alignment, void *devAddr, uint64_t flags)
{
	return sim_reserve(devPtr, size);
}

rtError_t do_rtMallocPhysical(rtDrvMemHandle *handle, size_t size, rtDrvMemProp_t *prop, uint64_t flags)
{
	return sim_physical(handle, size);
}

rtError_t do_rtFreePhysical(rtDrvMemHandle handle)
{
	return sim_physical_free(handle);
}

rtError_t do_rtMapMem(void *devPtr, size_t size, size_t offset, rtDrvMemHandle handle, uint64_t flags)
{
	return sim_map(devPtr, size, handle);
}

/* ---- copies ---- */

rtError_t do_rtMemcpy(void *dst, uint64_t destMax, const void *src, uint64_t cnt, rtMemcpyKind_t way)
{
	return sim_copy(dst, destMax, src, cnt, SIM_NOW);
}

rtError_t do_rtMemcpyAsync(void *dst, uint64_t destMax, const void *src, uint64_t cnt, rtMemcpyKind_t way, rtStream_t stm)
{
	return sim_copy(dst, destMax, src, cnt, stm);
}

rtError_t do_rtMemcpy2dAsync(void *dst, uint64_t dstPitch, const void *src, uint64_t srcPitch, uint64_t width, uint64_t height,
			     rtMemcpyKind_t way, rtStream_t stm)
{
	return sim_copy_2d(dst, dstPitch, src, srcPitch, width, height, stm);
}

rtError_t do_rtMemset(void *devPtr, uint64_t destMax, uint32_t val, uint64_t cnt)
{
	return sim_fill(devPtr, destMax, (int)val, cnt, SIM_NOW);
}

rtError_t do_rtMemsetAsync(void *ptr, uint64_t destMax, uint32_t val, uint64_t cnt, rtStream_t stm)
{
	return sim_fill(ptr, destMax, (int)val, cnt, stm);
}

/* ---- streams and events ---- */

rtError_t do_rtStreamCreate(rtStream_t *stm, int32_t priority)
{
	return sim_stream_new(stm);
}

rtError_t do_rtStreamCreateWithFlags(rtStream_t *stm, int32_t priority, uint32_t flags)
{
	return sim_stream_new(stm);
}

rtError_t do_rtStreamDestroy(rtStream_t stm)
{
	return sim_stream_end(stm);
}

rtError_t do_rtStreamSynchronize(rtStream_t stm)
{
	return sim_stream_wait(stm);
}

rtError_t do_rtStreamSynchronizeWithTimeout(rtStream_t stm, int32_t timeout)
{
	return sim_stream_wait(stm);
}

rtError_t do_rtDeviceSynchronize(void)
{
	sim_device_wait();
	return 0;
}

rtError_t do_rtEventCreateWithFlag(rtEvent_t *evt, uint32_t flag)
{
	return sim_event_new(evt, flag);
}

rtError_t do_rtEventRecord(rtEvent_t evt, rtStream_t stm)
{
	return sim_event_record(evt, stm);
}

rtError_t do_rtEventSynchronize(rtEvent_t evt)
{
	return sim_event_synchronize(evt);
}

rtError_t do_rtStreamWaitEvent(rtStream_t stm, rtEvent_t evt)
{
	return sim_event_wait(stm, evt);
}

rtError_t do_rtEventElapsedTime(float32_t *timeInterval, rtEvent_t startEvent, rtEvent_t endEvent)
{
	return sim_elapsed(timeInterval, startEvent, endEvent);
}

/* ---- launches: what the vendor's own libraries hand over as arguments is a pointer and a size ---- */

struct launch_args {
	const void *args;
	size_t size;
};

rtError_t do_rtKernelLaunchWithHandleV2(void *hdl, const uint64_t tilingKey, uint32_t numBlocks, rtArgsEx_t *argsInfo, rtSmDesc_t *smDesc,
					rtStream_t stm, const rtTaskCfgInfo_t *cfgInfo)
{
	const struct launch_args *a = (const void *)argsInfo;

	return sim_launch(sim_binary_kernel(hdl), stm, a ? a->args : NULL, a ? a->size : 0);
}

rtError_t do_rtLaunchKernelByFuncHandleV3(rtFuncHandle funcHandle, uint32_t numBlocks, const rtArgsEx_t *const argsInfo, rtStream_t stm,
					  const rtTaskCfgInfo_t *const cfgInfo)
{
	const struct launch_args *a = (const void *)argsInfo;

	return sim_launch(funcHandle, stm, a ? a->args : NULL, a ? a->size : 0);
}

/* A stub of the program stands for the kernel that was registered under it. */
#define STUBS 256
static struct {
	const void *stub;
	void *function;
} stubs[STUBS];

rtError_t do_rtDevBinaryRegister(const rtDevBinary_t *bin, void **hdl)
{
	return sim_binary_new(hdl);
}

rtError_t do_rtFunctionRegister(void *binHandle, const void *stubFunc, const char_t *stubName, const void *kernelInfoExt, uint32_t funcMode)
{
	for (int i = 0; i < STUBS; i++)
		if (!stubs[i].stub || stubs[i].stub == stubFunc) {
			stubs[i].stub = stubFunc;
			return sim_function_of(binHandle, stubName, &stubs[i].function);
		}
	return SIM_ERROR_RT_MEMORY_ALLOCATION;
}

rtError_t do_rtKernelLaunch(const void *stubFunc, uint32_t numBlocks, void *args, uint32_t argsSize, rtSmDesc_t *smDesc, rtStream_t stm)
{
	for (int i = 0; i < STUBS && stubs[i].stub; i++)
		if (stubs[i].stub == stubFunc)
			return sim_launch(stubs[i].function, stm, args, argsSize);
	return SIM_ERROR_RT_PARAM_INVALID;
}

rtError_t do_rtModelExecute(rtModel_t mdl, rtStream_t stm, uint32_t flag)
{
	return sim_graph_launch(mdl, stm);
}

rtError_t do_rtModelExecuteSync(rtModel_t mdl, rtStream_t stm, uint32_t flag, int32_t timeout)
{
	return sim_graph_launch(mdl, stm);
}
