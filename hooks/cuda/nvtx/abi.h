/*
 * abi.h - what NVTX hands to a tool, as the headers of NVTX 3 have it (nvToolsExt.h, nvtxDetail/nvtxTypes.h). They are in the
 * programs' own copies; tests/e2e/cuda/e2e_nvtx.sh holds this file against the real ones.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef uint64_t nvtxRangeId_t;

/* Of versions 2 and 3; a later one is longer. */
typedef struct nvtxEventAttributes_v2 {
	uint16_t version, size;
	uint32_t category;
	int32_t colorType;
	uint32_t color;
	int32_t payloadType, reserved0;
	uint64_t payload;
	int32_t messageType;
	union {
		const char *ascii;
		const wchar_t *unicode;
		nvtxStringHandle_t registered;
	} message;
} nvtxEventAttributes_t;

enum { NVTX_MESSAGE_TYPE_ASCII = 1,
       NVTX_MESSAGE_TYPE_UNICODE = 2,
       NVTX_MESSAGE_TYPE_REGISTERED = 3 };

/* ---- what a copy of NVTX tells a tool of itself ---- */

enum { NVTX_ETID_CALLBACKS = 1,
       NVTX_ETID_VERSIONINFO = 3 };

enum { NVTX_CB_MODULE_CORE = 1,
       NVTX_CB_MODULE_CORE2 = 5 };

typedef void (*NvtxFunctionPointer)(void);
typedef const void *(*NvtxGetExportTableFunc_t)(uint32_t exportTableId);

typedef struct NvtxExportTableCallbacks {
	size_t struct_size;
	int (*GetModuleFunctionTable)(int callback_module, NvtxFunctionPointer ***out_table, unsigned int *out_size);
} NvtxExportTableCallbacks;

typedef struct NvtxExportTableVersionInfo {
	size_t struct_size;
	uint32_t version, reserved0;
	void (*SetInjectionNvtxVersion)(uint32_t version);
} NvtxExportTableVersionInfo;
