/* abi.h - types and numbers of CANN that the rows of hooks/ do not need; as in its headers, where SIM_ERROR_X is ACL_ERROR_X. */
#pragma once
#include "hooks/ascend/abi/abi.h"

typedef int32_t aclCANNPackageName, aclCannAttr, aclCompileOpt, aclOpCompileFlag, aclRegisterCallbackType, aclprofAicoreMetrics,
	aclprofConfigType, aclrtDevAttr, aclrtFloatOverflowMode, aclrtFuncAttribute, aclrtLastErrLevel,
	aclrtMemAttr, aclrtMemGranularityOptions, aclrtMemHandleType, aclrtRunMode, aclrtStreamStatus, aclrtTsId, HcclConfig,
	msptiCallbackDomain;
typedef uint32_t msptiCallbackId;
typedef uint64_t mstxRangeId;
typedef void *aclrtParamHandle, *mstxDomainHandle_t;
typedef void aclScalar, aclScalarList, aclIntArray, aclBoolArray, aclFloatArray, aclmdlDesc,
	aclmdlIODims, aclprofAicoreEvents, aclrtMemAccessDesc,
	aclrtMemUsageInfo, aclrtPtrAttributes, aclrtUtilizationInfo;
typedef void (*aclInitCallbackFunc)(void), (*aclFinalizeCallbackFunc)(void), (*aclrtDeviceStateCallback)(void),
	(*aclrtExceptionInfoCallback)(void), (*aclrtStreamStateCallback)(void);
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
	SIM_ERROR_INVALID_PARAM = 100000,
	SIM_ERROR_REPEAT_INITIALIZE = 100002,
	SIM_ERROR_RT_PARAM_INVALID = 107000,
	SIM_ERROR_RT_INVALID_DEVICEID = 107001,
	SIM_ERROR_RT_EVENT_TIMESTAMP_INVALID = 107006,
	SIM_ERROR_RT_EVENT_TIMESTAMP_REVERSAL = 107007,
	SIM_ERROR_RT_STREAM_CAPTURED = 107027,
	SIM_ERROR_RT_EVENT_CAPTURED = 107028,
	SIM_ERROR_RT_STREAM_NOT_CAPTURED = 107029,
	SIM_ERROR_RT_MEMORY_ALLOCATION = 207001,
	SIM_ERROR_RT_EVENT_NOT_COMPLETE = 507006,
};

enum { SIM_EVENT_SYNC = 1,
       SIM_EVENT_TIME_LINE = 8 };

/* What tests/sims/lib answers. */
enum { SIM_INVALID = SIM_ERROR_RT_PARAM_INVALID,
       SIM_NO_DEVICE = SIM_ERROR_RT_INVALID_DEVICEID,
       SIM_NO_MEMORY = SIM_ERROR_RT_MEMORY_ALLOCATION,
       SIM_NOT_RECORDED = SIM_ERROR_RT_EVENT_TIMESTAMP_INVALID,
       SIM_NOT_COMPLETE = SIM_ERROR_RT_EVENT_NOT_COMPLETE,
       SIM_REVERSED = SIM_ERROR_RT_EVENT_TIMESTAMP_REVERSAL,
       SIM_CAPTURED = SIM_ERROR_RT_STREAM_CAPTURED,
       SIM_NOT_CAPTURED = SIM_ERROR_RT_STREAM_NOT_CAPTURED,
       SIM_EVENT_CAPTURED = SIM_ERROR_RT_EVENT_CAPTURED,
       SIM_EVENT_OUTSIDE = SIM_EVENT_TIME_LINE };
enum { SIM_FLOAT = 0,
       SIM_BF16 = 27 };
enum { SIM_HCCL_E_PARA = 1,
       SIM_HCCL_E_SYSCALL = 8,
       SIM_HCCL_E_TIMEOUT = 9 };
enum { SIM_HCCL_REDUCE_SUM,
       SIM_HCCL_REDUCE_PROD,
       SIM_HCCL_REDUCE_MAX,
       SIM_HCCL_REDUCE_MIN };
enum { SIM_HCCL_DATA_TYPE_FP32 = 4 };
enum { SIM_HCCL_SEND,
       SIM_HCCL_RECV };
