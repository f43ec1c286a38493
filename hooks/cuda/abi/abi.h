/*
 * abi.h - CUDA: just enough to pass arguments through; no SDK is needed to build. Names, values and layouts as in cuda.h and
 * cuda_runtime_api.h of CUDA 13; those that majors have in common, unless it is said.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "hooks/capture/dim3.h"

/* Status codes: 0 is success, and most numbers are the same in runtime and driver. */
typedef int32_t cudaError_t, CUresult;
#define CUDA_NOT_SUPPORTED 801

/* Handles. */
typedef void *cudaStream_t, *cudaEvent_t, *cudaArray_t, *cudaMipmappedArray_t, *cudaMemPool_t, *cudaGraph_t, *cudaGraphExec_t, *cudaGraphNode_t,
	*cudaKernel_t, *cudaLibrary_t, *cudaFunction_t;
typedef const void *cudaArray_const_t;
typedef void *CUstream, *CUevent, *CUcontext, *CUarray, *CUmemoryPool, *CUgraph, *CUgraphExec, *CUgraphNode, *CUfunction, *CUkernel, *CUmodule,
	*CUlibrary;
typedef uint64_t CUdeviceptr_v2, CUmemGenericAllocationHandle_v1;
typedef uint32_t CUdeviceptr_v1;
typedef int32_t CUdevice_v1;
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

/* Enumerations. */
typedef int32_t cudaMemcpyKind, cudaJitOption, cudaLibraryOption, cudaStreamCaptureMode, cudaDriverEntryPointQueryResult, cudaStreamAttrID,
	CUstreamCaptureMode, CUjit_option, CUlibraryOption, CUdriverProcAddressQueryResult, CUgraphExecUpdateResult, CUmemorytype;

/* The program's functions. */
typedef void (*cudaHostFn_t)(void *), (*CUhostFn)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *), (*CUstreamCallback)(CUstream, CUresult, void *);

/* Nobody looks into these. */
typedef void cudaMemPoolProps, cudaMemcpyAttributes, cudaMemcpy3DBatchOp, cudaGraphEdgeData, cudaGraphExecUpdateResultInfo, cudaGraphNodeParams,
	cudaGraphInstantiateParams, cudaStreamAttrValue;
typedef void CUexecAffinityParam, CUctxCreateParams, CUlaunchAttribute, CUmemAllocationProp_v1, CUmemPoolProps_v1, CUmemcpyAttributes_v1, CUgraphEdgeData, CUgraphNodeParams,
	CUgraphExecUpdateResultInfo, CUstreamBatchMemOpParams, CUstreamBatchMemOpParams_v1, CUDA_GRAPH_INSTANTIATE_PARAMS, CUDA_LAUNCH_PARAMS_v1,
	CUDA_MEMCPY3D_BATCH_OP_v1;

/* Structures that are passed by value, or looked into. */
typedef dim3 uint3;
typedef struct {
	size_t width, height, depth;
} cudaExtent;
typedef struct {
	size_t x, y, z;
} cudaPos;
typedef struct {
	void *ptr;
	size_t pitch, xsize, ysize;
} cudaPitchedPtr;
typedef struct {
	int32_t type, id;
} cudaMemLocation, CUmemLocation_v1;
typedef struct {
	char reserved[64];
} cudaIpcMemHandle_t, CUipcMemHandle_v1;
typedef struct {
	int32_t x, y, z, w; /* bits of a channel */
	int32_t f;
} cudaChannelFormatDesc;
typedef struct {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	void *attrs;
	uint32_t numAttrs;
} cudaLaunchConfig_t;
typedef struct {
	uint32_t gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
	CUstream hStream;
	CUlaunchAttribute *attrs;
	uint32_t numAttrs;
} CUlaunchConfig;
typedef struct {
	void *func;
	dim3 gridDim, blockDim;
	uint32_t sharedMemBytes;
	void **kernelParams, **extra;
} cudaKernelNodeParams;
#define CUDA_KERNEL_NODE_PARAMS                                                                 \
	CUfunction func;                                                                        \
	uint32_t gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes; \
	void **kernelParams, **extra;
typedef struct {
	CUDA_KERNEL_NODE_PARAMS
} CUDA_KERNEL_NODE_PARAMS_v1;
typedef struct {
	CUDA_KERNEL_NODE_PARAMS
	CUkernel kern; /* where func is NULL */
	CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS_v2;
typedef struct {
	cudaArray_t srcArray;
	cudaPos srcPos;
	cudaPitchedPtr srcPtr;
	cudaArray_t dstArray;
	cudaPos dstPos;
	cudaPitchedPtr dstPtr;
	cudaExtent extent;
	cudaMemcpyKind kind;
} cudaMemcpy3DParms;
typedef struct {
	cudaArray_t srcArray;
	cudaPos srcPos;
	cudaPitchedPtr srcPtr;
	int32_t srcDevice;
	cudaArray_t dstArray;
	cudaPos dstPos;
	cudaPitchedPtr dstPtr;
	int32_t dstDevice;
	cudaExtent extent;
} cudaMemcpy3DPeerParms;

enum { CU_MEMORYTYPE_HOST = 1,
       CU_MEMORYTYPE_DEVICE,
       CU_MEMORYTYPE_ARRAY,
       CU_MEMORYTYPE_UNIFIED };

/* One side of a copy of rectangles, and all of it: size is of the generation (32 bits in _v1), pointer that of its devices. */
#define CUDA_MEMCPY2D_OF(size, pointer)   \
	size srcXInBytes, srcY;           \
	CUmemorytype srcMemoryType;       \
	const void *srcHost;              \
	pointer srcDevice;                \
	CUarray srcArray;                 \
	size srcPitch, dstXInBytes, dstY; \
	CUmemorytype dstMemoryType;       \
	void *dstHost;                    \
	pointer dstDevice;                \
	CUarray dstArray;                 \
	size dstPitch, WidthInBytes, Height;
#define CUDA_MEMCPY3D_OF(size, pointer)                            \
	size srcXInBytes, srcY, srcZ, srcLOD;                      \
	CUmemorytype srcMemoryType;                                \
	const void *srcHost;                                       \
	pointer srcDevice;                                         \
	CUarray srcArray;                                          \
	void *srcContext; /* reserved but between peers */         \
	size srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD; \
	CUmemorytype dstMemoryType;                                \
	void *dstHost;                                             \
	pointer dstDevice;                                         \
	CUarray dstArray;                                          \
	void *dstContext;                                          \
	size dstPitch, dstHeight, WidthInBytes, Height, Depth;

typedef struct {
	CUDA_MEMCPY2D_OF(uint32_t, CUdeviceptr_v1)
} CUDA_MEMCPY2D_v1;
typedef struct {
	CUDA_MEMCPY2D_OF(size_t, CUdeviceptr_v2)
} CUDA_MEMCPY2D_v2;
typedef struct {
	CUDA_MEMCPY3D_OF(uint32_t, CUdeviceptr_v1)
} CUDA_MEMCPY3D_v1;
typedef struct {
	CUDA_MEMCPY3D_OF(size_t, CUdeviceptr_v2)
} CUDA_MEMCPY3D_v2, CUDA_MEMCPY3D_PEER_v1;
