/*
 * abi.h - HIP: just enough to pass arguments through; no SDK is needed to build. Names, values and layouts as in hip_runtime_api.h;
 * those that majors 5 to 7 have in common.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "hooks/capture/dim3.h"

/* Status codes: 0 is success. */
typedef int32_t hipError_t;
#define HIP_NOT_SUPPORTED 801

/* Handles. */
typedef void *hipStream_t, *hipEvent_t, *hipArray_t, *hipMipmappedArray_t, *hipMemPool_t, *hipGraph_t, *hipGraphExec_t, *hipGraphNode_t, *hipKernel_t,
	*hipLibrary_t, *hipFunction_t, *hipModule_t, *hipCtx_t, *hipDeviceptr_t, *hipMemGenericAllocationHandle_t;
typedef const void *hipArray_const_t;
typedef int32_t hipDevice_t;

/* Enumerations. */
typedef int32_t hipMemcpyKind, hipJitOption, hipLibraryOption, hipStreamCaptureMode, hipDriverEntryPointQueryResult, hipDriverProcAddressQueryResult,
	hipGraphExecUpdateResult, hipStreamAttrID;

/* The program's functions. */
typedef void (*hipHostFn_t)(void *);
typedef void (*hipStreamCallback_t)(hipStream_t, hipError_t, void *);

/* Nobody looks into these: of HIP_MEMCPY3D members of 6 are wider than those of 5. */
typedef void HIP_MEMCPY3D, hipMemcpy3DPeerParms, hipMemcpy3DBatchOp, hipMemPoolProps, hipMemAllocationProp, hipGraphEdgeData, hipGraphNodeParams,
	hipGraphInstantiateParams, hipMemAllocNodeParams, hipMemcpyAttributes, hipKernelNodeParams, hipLaunchParams, hipFunctionLaunchParams, hipStreamBatchMemOpParams, hipStreamAttrValue;

/* Structures that are passed by value, or looked into. */
typedef dim3 uint3;
typedef struct {
	size_t width, height, depth;
} hipExtent;
typedef struct {
	size_t x, y, z;
} hipPos;
typedef struct {
	void *ptr;
	size_t pitch, xsize, ysize;
} hipPitchedPtr;
typedef struct {
	char reserved[64];
} hipIpcMemHandle_t;
typedef struct {
	int32_t x, y, z, w; /* bits of a channel */
	int32_t f;
} hipChannelFormatDesc;
typedef struct {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	hipStream_t stream;
	void *attrs;
	uint32_t numAttrs;
} hipLaunchConfig_t;
typedef struct {
	uint32_t gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
	hipStream_t hStream;
	void *attrs;
	uint32_t numAttrs;
} HIP_LAUNCH_CONFIG;
typedef struct {
	hipArray_t srcArray;
	hipPos srcPos;
	hipPitchedPtr srcPtr;
	hipArray_t dstArray;
	hipPos dstPos;
	hipPitchedPtr dstPtr;
	hipExtent extent;
	hipMemcpyKind kind;
} hipMemcpy3DParms;

/* Its types of memory have other numbers in 6 than in 5. */
typedef struct {
	size_t srcXInBytes, srcY;
	int32_t srcMemoryType;
	const void *srcHost;
	hipDeviceptr_t srcDevice;
	hipArray_t srcArray;
	size_t srcPitch, dstXInBytes, dstY;
	int32_t dstMemoryType;
	void *dstHost;
	hipDeviceptr_t dstDevice;
	hipArray_t dstArray;
	size_t dstPitch, WidthInBytes, Height;
} hip_Memcpy2D;
