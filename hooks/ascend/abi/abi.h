/* abi.h - Ascend CANN: just enough to pass arguments through. Names and sizes as in 8.1.RC1 and later. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hooks/capture/dim3.h"

/* Status codes: 0 is success. */
typedef int32_t aclError, aclnnStatus, HcclResult, rtError_t, msptiResult;
#define ACL_ERROR_FEATURE_UNSUPPORTED 200006
#define HCCL_E_NOT_SUPPORT	      5

/* Handles. */
typedef void *aclrtStream, *aclrtEvent, *aclrtNotify, *aclrtContext, *aclrtFuncHandle, *aclrtBinHandle, *aclrtBinary,
	*aclrtArgsHandle, *aclrtDrvMemHandle, *aclrtMemPool, *aclrtTaskGrp, *aclmdlRI, *aclmdlRITask, *aclmdlRICondHandle, *HcclComm, *HcclCommSymWindow, *LcalCommPtr, *asdFftHandle, *rtStream_t,
	*rtEvent_t, *rtNotify_t, *rtModel_t, *rtFuncHandle, *rtLaunchArgsHandle, *rtArgsHandle, *rtDrvMemHandle;
typedef void *mstxDomainHandle_t, *mstxMemHeapHandle_t, *mstxMemRegionHandle_t;
typedef uint64_t mstxRangeId;
typedef void (*aclrtCallback)(void *), (*aclrtHostFunc)(void *), (*msptiCallbackFunc)(void);
typedef void *msptiSubscriberHandle;
typedef void aclprofConfig;

/* Enumerations. */
typedef int32_t aclDataType, aclFormat, aclmdlRICaptureMode, aclmdlRICondHandleFlag, aclmdlRICondTaskType, aclprofStepTag,
	aclrtDevResLimitType, msptiExternalCorrelationKind, aclmdlRICaptureStatus, aclmdlRITaskType, aclopCompileType,
	aclopEngineType, aclrtCallbackBlockType, aclrtCmoType, aclrtCompareDataType, aclrtCondition, aclrtEventRecordedStatus,
	aclrtEventStatus, aclrtEventWaitStatus, aclrtHostRegisterType, aclrtLaunchKernelAttrId, aclrtMemMallocPolicy,
	aclrtMemSharedHandleType, aclrtMemcpyKind, aclrtReduceKind, aclrtStreamAttr, HcclDataType, HcclReduceOp, rtDataType_t,
	rtMemcpyKind_t, rtRecudeKind_t, msptiActivityKind;
#define MSPTI_ACTIVITY_KIND_MARKER 1
typedef uint32_t rtMemType_t, geStatus;
typedef char char_t;
typedef float float32_t;

/* Structures that are passed by value. */
typedef struct {
	int32_t type, id;
} aclrtMemManagedLocation;
typedef struct {
	char reserved[64];
} aclrtIpcEventHandle;

typedef struct {
	aclmdlRICondHandle handle;
	aclmdlRICondTaskType type;
	uint32_t size;
	aclmdlRI *modelRIArray;
} aclmdlRICondTaskParams;

/* That are looked into. */
typedef struct {
	int32_t type;
	void *buf;
	uint64_t count;
	HcclDataType dataType;
	uint32_t remoteRank;
} HcclSendRecvItem;

/*
 * What mstx tells of memory. torch_npu fills in no more than typeSpecificDesc, regionCount and regionDescArray: type,
 * heap and the array for handles may be anything.
 */
typedef struct {
	uint32_t deviceId;
	const void *ptr;
	uint64_t size;
} mstxMemVirtualRangeDesc_t;
typedef struct {
	int32_t usage, type;
	const void *typeSpecificDesc; /* of a mstxMemVirtualRangeDesc_t: there is no other type */
} mstxMemHeapDesc_t;
typedef struct {
	mstxMemHeapHandle_t heap;
	int32_t regionType;
	size_t regionCount;
	const void *regionDescArray; /* of mstxMemVirtualRangeDesc_t */
	mstxMemRegionHandle_t *regionHandleArrayOut;
} mstxMemRegionsRegisterBatch_t;
typedef struct {
	int32_t refType; /* MSTX_MEM_REGION_REF_TYPE_POINTER 0, _HANDLE 1 */
	const void *pointer;
} mstxMemRegionRef_t;
typedef struct {
	size_t refCount;
	const mstxMemRegionRef_t *refArray;
} mstxMemRegionsUnregisterBatch_t;

/* Known by their addresses only. */
typedef void aclGraphDumpOption, aclprofEventAttributes, aclprofStepInfo, aclrtErrorInfo, aclrtMemUceInfo, aclskOptions,
	acltdtChannelHandle, acltdtDataset, atbContext, atbOperation, geOptions, geSession, geTensors, aclTensor, aclTensorList, aclTensorDesc, aclDataBuffer, aclOpExecutor, aclopAttr, aclopHandle, aclmdlDataset,
	aclmdlConfigHandle, aclmdlExecConfigHandle, aclmdlRITaskParams, aclrtBinaryLoadOptions, aclrtLaunchKernelAttrValue,
	aclrtLaunchKernelCfg, aclrtMallocConfig, aclrtMemPoolProps, aclrtMemcpyBatchAttr, aclrtPhysicalMemProp,
	aclrtPlaceHolderInfo, aclrtRandomNumTaskInfo, aclrtStreamAttrValue, aclrtStreamConfigHandle, aclrtTaskUpdateInfo,
	HcclCommConfig, HcclRootInfo, rtAicpuArgsEx_t, rtArgsEx_t, rtCpuKernelArgs_t, rtDevBinary_t,
	rtDrvMemProp_t, rtFftsPlusTaskInfo_t, rtKernelLaunchCfg_t, rtKernelLaunchNames_t, rtPlaceHolderInfo_t, rtReduceInfo_t,
	rtSmDesc_t, rtTaskCfgInfo_t;

/* enum aclrtMemcpyKind; the same numbers as rtMemcpyKind, but not as rtMemcpyKind_t from 4 on. */
enum {
	ACL_MEMCPY_HOST_TO_HOST,
	ACL_MEMCPY_HOST_TO_DEVICE,
	ACL_MEMCPY_DEVICE_TO_HOST,
	ACL_MEMCPY_DEVICE_TO_DEVICE,
	ACL_MEMCPY_DEFAULT,
	ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
	ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
	ACL_MEMCPY_INTER_DEVICE_TO_DEVICE,
};

enum {
	HCCL_DATA_TYPE_INT8,
	HCCL_DATA_TYPE_INT16,
	HCCL_DATA_TYPE_INT32,
	HCCL_DATA_TYPE_FP16,
	HCCL_DATA_TYPE_FP32,
	HCCL_DATA_TYPE_INT64,
	HCCL_DATA_TYPE_UINT64,
	HCCL_DATA_TYPE_UINT8,
	HCCL_DATA_TYPE_UINT16,
	HCCL_DATA_TYPE_UINT32,
	HCCL_DATA_TYPE_FP64,
	HCCL_DATA_TYPE_BFP16,
	HCCL_DATA_TYPE_INT128,
	HCCL_DATA_TYPE_HIF8 = 14,
	HCCL_DATA_TYPE_FP8E4M3,
	HCCL_DATA_TYPE_FP8E5M2,
	HCCL_DATA_TYPE_FP8E8M0,
	HCCL_DATA_TYPE_MXFP8,
};

enum {
	ACL_FLOAT,
	ACL_FLOAT16,
	ACL_INT8,
	ACL_INT32,
	ACL_UINT8,
	ACL_INT16 = 6,
	ACL_UINT16,
	ACL_UINT32,
	ACL_INT64,
	ACL_UINT64,
	ACL_DOUBLE,
	ACL_BOOL,
	ACL_STRING,
	ACL_COMPLEX64 = 16,
	ACL_COMPLEX128,
	ACL_BF16 = 27,
	ACL_INT4 = 29,
	ACL_UINT1,
	ACL_COMPLEX32 = 33,
	ACL_HIFLOAT8,
	ACL_FLOAT8_E5M2,
	ACL_FLOAT8_E4M3FN,
	ACL_FLOAT8_E8M0,
	ACL_FLOAT6_E3M2,
	ACL_FLOAT6_E2M3,
	ACL_FLOAT4_E2M1,
	ACL_FLOAT4_E1M2,
};

enum {
	ACL_FORMAT_NCHW,
	ACL_FORMAT_NHWC,
	ACL_FORMAT_ND,
	ACL_FORMAT_NC1HWC0,
	ACL_FORMAT_FRACTAL_Z,
	ACL_FORMAT_NC1HWC0_C04 = 12,
	ACL_FORMAT_HWCN = 16,
	ACL_FORMAT_NDHWC = 27,
	ACL_FORMAT_FRACTAL_NZ = 29,
	ACL_FORMAT_NCDHW,
	ACL_FORMAT_NDC1HWC0 = 32,
	ACL_FRACTAL_Z_3D,
	ACL_FORMAT_NC = 35,
	ACL_FORMAT_NCL = 47,
	ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
	ACL_FORMAT_FRACTAL_NZ_C0_32,
	ACL_FORMAT_FRACTAL_NZ_C0_2,
	ACL_FORMAT_FRACTAL_NZ_C0_4,
	ACL_FORMAT_FRACTAL_NZ_C0_8,
};

/* enum rtMemcpyKind_t */
enum {
	RT_MEMCPY_ADDR_DEVICE_TO_DEVICE = 5,
	RT_MEMCPY_HOST_TO_DEVICE_EX,
	RT_MEMCPY_DEVICE_TO_HOST_EX,
};
