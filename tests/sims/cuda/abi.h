/* abi.h - types and numbers of CUDA that the rows of hooks/ do not need; as in its headers, where SIM_ERROR_X is CUDA_ERROR_X. */
#pragma once
#include "hooks/cuda/abi/abi.h"
#include "hooks/cuda/nccl/abi.h"
#include "hooks/cuda/torch/abi.h"
#include <stdbool.h>

typedef int32_t cudaDeviceAttr, cudaFuncAttribute, cudaFuncCache, cudaGraphNodeType, cudaLimit, cudaMemPoolAttr, cudaMemoryAdvise,
	cudaStreamCaptureStatus;
typedef int32_t CUdevice, CUdevice_attribute, CUfunc_cache, CUfunctionLoadingState, CUfunction_attribute, CUgraphNodeType, CUlimit,
	CUmemAllocationGranularity_flags, CUmemPool_attribute, CUmem_advise, CUmoduleLoadingMode, CUpointer_attribute, CUstreamCaptureStatus,
	CUtensorMapDataType, CUtensorMapFloatOOBfill, CUtensorMapInterleave, CUtensorMapL2promotion, CUtensorMapSwizzle;
typedef uint64_t CUdeviceptr;
typedef void CUtensorMap, CUmemAccessDesc_v1, cudaMemAccessDesc;
typedef struct {
	char bytes[16];
} CUuuid;
typedef struct {
	CUhostFn fn;
	void *userData;
} CUDA_HOST_NODE_PARAMS_v1, cudaHostNodeParams;
typedef struct {
	CUdeviceptr dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
} CUDA_MEMSET_NODE_PARAMS_v1;
typedef struct {
	void *dst;
	size_t pitch;
	unsigned int value, elementSize;
	size_t width, height;
} cudaMemsetParams;
typedef struct {
	int32_t type, device;
	void *devicePointer, *hostPointer;
	long reserved[8];
} cudaPointerAttributes;
typedef struct {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout,
		more[5];
} cudaFuncAttributes;

/* As much of it as majors have in common. */
typedef struct {
	char name[256];
	CUuuid uuid;
	char luid[8];
	unsigned int luidDeviceNodeMask;
	size_t totalGlobalMem;
} cudaDeviceProp;

/* NCCL's. */
enum { SIM_NCCL_CUDA_ERROR = 1,
       SIM_NCCL_SYSTEM_ERROR,
       SIM_NCCL_INVALID_ARGUMENT = 4,
       SIM_NCCL_INVALID_USAGE,
       SIM_NCCL_REMOTE_ERROR };
enum { SIM_NCCL_FLOAT = 7 };
enum { SIM_NCCL_SUM,
       SIM_NCCL_PROD,
       SIM_NCCL_MAX,
       SIM_NCCL_MIN,
       SIM_NCCL_AVG };

/* Kernels' nodes: hooks/ looks into none of them. */
struct sim_node_v1 {
	CUfunction func;
	unsigned int grid[3], block[3], shared;
	void **params, **extra;
};
struct sim_node_v2 {
	CUfunction func;
	unsigned int grid[3], block[3], shared;
	void **params, **extra;
	CUkernel kern;
	CUcontext ctx;
};
struct sim_node_rt {
	void *func;
	dim3 grid, block;
	unsigned int shared;
	void **params, **extra;
};

enum {
	SIM_ERROR_INVALID_VALUE = 1,
	SIM_ERROR_OUT_OF_MEMORY = 2,
	SIM_ERROR_NOT_INITIALIZED = 3,
	SIM_ERROR_NO_DRIVER = 35, /* the runtime's own */
	SIM_ERROR_INVALID_FUNCTION = 98,
	SIM_ERROR_INVALID_DEVICE = 101,
	SIM_ERROR_INVALID_CONTEXT = 201,
	SIM_ERROR_INVALID_HANDLE = 400,
	SIM_ERROR_ILLEGAL_STATE = 401,
	SIM_ERROR_NOT_FOUND = 500,
	SIM_ERROR_NOT_READY = 600,
	SIM_ERROR_NOT_SUPPORTED = 801,
	SIM_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
	SIM_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
	SIM_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
	SIM_ERROR_STREAM_CAPTURE_UNJOINED = 904,
	SIM_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
	SIM_ERROR_CAPTURED_EVENT = 907,
	SIM_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
};

/* What tests/sims/lib answers. */
enum { SIM_INVALID = SIM_ERROR_INVALID_VALUE,
       SIM_NO_DEVICE = SIM_ERROR_INVALID_DEVICE,
       SIM_NO_MEMORY = SIM_ERROR_OUT_OF_MEMORY,
       SIM_NOT_RECORDED = SIM_ERROR_INVALID_HANDLE,
       SIM_NOT_COMPLETE = SIM_ERROR_NOT_READY,
       SIM_REVERSED = SIM_ERROR_INVALID_VALUE,
       SIM_CAPTURED = SIM_ERROR_STREAM_CAPTURE_UNSUPPORTED,
       SIM_NOT_CAPTURED = SIM_ERROR_INVALID_VALUE,
       SIM_EVENT_CAPTURED = SIM_ERROR_CAPTURED_EVENT,
       SIM_EVENT_OUTSIDE = 0 };

enum { SIM_EVENT_NO_TIMING = 2 };
enum { SIM_STREAM_NON_BLOCKING = 1 };
enum { SIM_MODE_GLOBAL,
       SIM_MODE_THREAD_LOCAL,
       SIM_MODE_RELAXED };
enum { SIM_NODE_KERNEL };
enum { SIM_CAPTURE_NONE,
       SIM_CAPTURE_ACTIVE,
       SIM_CAPTURE_INVALIDATED };

/*
 * Device code of programs made for these libraries: what a fat binary, a module or a library holds may begin with this, and
 * then the functions run. Anything else is code that nobody looks into, whose kernels are nothing but time.
 */
#define SIM_IMAGE  0x656769616d697301 /* "\1simaige" */
#define SIM_PARAMS 8
struct sim_kernel {
	const char *name;
	void (*run)(void **params, const unsigned int grid[3], const unsigned int block[3]);
	size_t sizes[SIM_PARAMS]; /* of the parameters; 0: there are no more */
};
struct sim_image {
	uint64_t magic;
	const struct sim_kernel *kernels; /* to one without a name */
};

/* What __cudaRegisterFatBinary is given. */
struct sim_fat_binary {
	int magic, version;
	const void *data;
	void *file;
};
enum { SIM_FAT_BINARY = 0x466243b1 };
