/* abi.h - types of the simulated libraries that the rows of hooks/ do not need; names and sizes as in CANN's headers. */
#pragma once
#include "hooks/ascend_abi.h"

typedef int32_t aclCANNPackageName, aclCannAttr, aclCompileOpt, aclOpCompileFlag, aclRegisterCallbackType, aclprofAicoreMetrics,
	aclprofConfigType, aclprofStepTag, aclrtDevAttr, aclrtFloatOverflowMode, aclrtFuncAttribute, aclrtLastErrLevel,
	aclrtMemAttr, aclrtMemGranularityOptions, aclrtMemHandleType, aclrtRunMode, aclrtStreamStatus, aclrtTsId, HcclConfig,
	msptiActivityKind, msptiCallbackDomain, msptiExternalCorrelationKind;
typedef uint32_t msptiCallbackId;
typedef uint64_t mstxRangeId;
typedef void *aclrtParamHandle, *msptiSubscriberHandle, *mstxDomainHandle_t, *mstxMemHeapHandle_t;
typedef void aclScalar, aclTensorList, aclScalarList, aclIntArray, aclBoolArray, aclFloatArray, aclGraphDumpOption, aclmdlDesc,
	aclmdlIODims, aclprofAicoreEvents, aclprofConfig, aclprofEventAttributes, aclprofStepInfo, aclrtMemAccessDesc,
	aclrtMemUsageInfo, aclrtPtrAttributes, aclrtUtilizationInfo, mstxMemHeapDesc_t, mstxMemRegionsRegisterBatch_t,
	mstxMemRegionsUnregisterBatch_t;
typedef void (*aclInitCallbackFunc)(void), (*aclFinalizeCallbackFunc)(void), (*aclrtDeviceStateCallback)(void),
	(*aclrtExceptionInfoCallback)(void), (*aclrtStreamStateCallback)(void), (*msptiCallbackFunc)(void);
typedef void (*msptiBuffersCallbackRequestFunc)(uint8_t **buffer, size_t *size, size_t *most),
	(*msptiBuffersCallbackCompleteFunc)(uint8_t *buffer, size_t size, size_t valid);
typedef struct {
	char version[128];
} aclCANNPackageVersion;
typedef union {
	int32_t value;
} HcclConfigValue;
typedef struct {
	msptiActivityKind kind;
} __attribute__((packed, aligned(8))) msptiActivity;

enum {
	ACL_ERROR_INVALID_PARAM = 100000,
	ACL_ERROR_REPEAT_INITIALIZE = 100002,
	ACL_ERROR_RT_PARAM_INVALID = 107000,
	ACL_ERROR_RT_INVALID_DEVICEID = 107001,
	ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID = 107006,
	ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL = 107007,
	ACL_ERROR_RT_STREAM_CAPTURED = 107027,
	ACL_ERROR_RT_EVENT_CAPTURED = 107028,
	ACL_ERROR_RT_STREAM_NOT_CAPTURED = 107029,
	ACL_ERROR_RT_MEMORY_ALLOCATION = 207001,
	ACL_ERROR_RT_EVENT_NOT_COMPLETE = 507006,
};

enum { ACL_EVENT_SYNC = 1, ACL_EVENT_TIME_LINE = 8 };
enum { ACL_FLOAT = 0, ACL_BF16 = 27 };
enum { HCCL_E_PARA = 1, HCCL_E_SYSCALL = 8, HCCL_E_TIMEOUT = 9 };
enum { HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN };
enum { HCCL_DATA_TYPE_FP32 = 4 };
enum { HCCL_SEND, HCCL_RECV };
