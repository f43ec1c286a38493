/*
 * api.h - how the training program reaches the vendor: as torch_npu does. What it imports is linked, the rest is
 * looked up by a handle of the library or with RTLD_DEFAULT; with LINKED all is linked, as in a C++ program.
 *
 * Every call is counted here, by symbol and step: the program's own account.
 */
#pragma once
#include "tests/sims/ascend/declare.h"
#include "tests/sims/ascend/train/operators.h"

/* F(library, symbol); IMPORTED: always linked, as in libtorch_npu.so */
#define IMPORTED(F)                           \
	F(libascendcl, aclInit)               \
	F(libascendcl, aclFinalize)           \
	F(libascendcl, aclrtSetDevice)        \
	F(libascendcl, aclrtMemcpy)           \
	F(libascendcl, aclrtMemcpyAsync)      \
	F(libascendcl, aclrtMallocHost)       \
	F(libascendcl, aclrtFree)             \
	F(libascendcl, aclrtFreeHost)         \
	F(libascendcl, aclrtRecordEvent)      \
	F(libascendcl, aclrtStreamWaitEvent)  \
	F(libascendcl, aclrtSynchronizeEvent) \
	F(libascendcl, aclrtEventElapsedTime) \
	F(libascendcl, aclrtDestroyEvent)     \
	F(libascendcl, aclrtDestroyStream)    \
	F(libacl_op_compiler, aclopCompileAndExecute)

#define LOOKED_UP(F)                                \
	F(libascendcl, aclrtMallocAlign32)          \
	F(libascendcl, aclrtCreateStreamWithConfig) \
	F(libascendcl, aclrtCreateEventWithFlag)    \
	F(libascendcl, aclrtQueryEventStatus)       \
	F(libascendcl, aclrtSynchronizeStream)      \
	F(libascendcl, aclrtSynchronizeDevice)      \
	F(libascendcl, aclrtMemset)                 \
	F(libascendcl, aclrtMemsetAsync)            \
	F(libascendcl, aclrtMemcpyBatchAsync)       \
	F(libascendcl, aclrtMemcpy2dAsync)          \
	F(libascendcl, aclrtReserveMemAddress)      \
	F(libascendcl, aclrtReleaseMemAddress)      \
	F(libascendcl, aclrtMallocPhysical)         \
	F(libascendcl, aclrtFreePhysical)           \
	F(libascendcl, aclrtMapMem)                 \
	F(libascendcl, aclrtUnmapMem)               \
	F(libascendcl, aclrtBinaryLoadFromData)     \
	F(libascendcl, aclrtBinaryGetFunction)      \
	F(libascendcl, aclrtLaunchKernel)           \
	F(libascendcl, aclrtLaunchKernelWithConfig) \
	F(libascendcl, aclrtLaunchCallback)         \
	F(libascendcl, aclmdlRICaptureBegin)        \
	F(libascendcl, aclmdlRICaptureGetInfo)      \
	F(libascendcl, aclmdlRICaptureEnd)          \
	F(libascendcl, aclmdlRIExecuteAsync)        \
	F(libascendcl, aclmdlRIDestroy)             \
	F(libruntime, rtDevBinaryRegister)          \
	F(libruntime, rtFunctionRegister)           \
	F(libruntime, rtKernelLaunch)               \
	F(libhccl, HcclGetRootInfo)                 \
	F(libhccl, HcclCommInitRootInfo)            \
	F(libhccl, HcclCommDestroy)                 \
	F(libhccl, HcclAllReduce)                   \
	F(libhccl, HcclAllGather)                   \
	F(libhccl, HcclReduceScatter)               \
	F(libhccl, HcclBroadcast)                   \
	F(libhccl, HcclBarrier)                     \
	F(libms_tools_ext, mstxMarkA)               \
	F(libms_tools_ext, mstxRangeStartA)         \
	F(libms_tools_ext, mstxRangeEnd)

/* By the handle of libopapi, on every road but the linked one. */
#define BY_HANDLE(F)                           \
	F(libopapi, aclCreateTensor)           \
	F(libopapi, aclDestroyTensor)          \
	F(libopapi, aclCreateScalar)           \
	F(libopapi, aclDestroyScalar)          \
	F(libopapi, aclCreateIntArray)         \
	F(libopapi, aclDestroyIntArray)        \
	F(libopapi, InitHugeMemThreadLocal)    \
	F(libopapi, ReleaseHugeMem)            \
	F(libopapi, InitPTACacheThreadLocal)   \
	F(libopapi, AddTensorAddrToCachedList) \
	F(libopapi, PTAGetExecCache)           \
	F(libopapi, SetPTAHashKey)             \
	OPERATORS(F)

#define ALL(F)			IMPORTED(F) LOOKED_UP(F) BY_HANDLE(F)

#define NUMBER(library, symbol) NUMBER_##symbol,
enum number { ALL(NUMBER) NUMBERS };
#define MEMBER(library, symbol) __typeof__(&symbol) symbol;
extern struct api {
	ALL(MEMBER)
} api;

/* road: linked, handle, default */
void api_find(const char *road);
void api_count(enum number number);
void api_step(int step); /* from now on */
int api_current(void);
void api_print(void); /* `step symbol count` lines; -1: outside of all steps */

#define CALL(symbol, ...) (api_count(NUMBER_##symbol), api.symbol(__VA_ARGS__))
