/* abi.h - NCCL: just enough to pass arguments through. Names, values and layouts as in nccl.h 2.32. */
#pragma once
#include "hooks/cuda/abi/abi.h"

typedef int32_t ncclResult_t, ncclDataType_t, ncclRedOp_t;
#define NCCL_NOT_SUPPORTED 5 /* ncclInvalidUsage: it has no other word for that */

typedef void *ncclComm_t, *ncclWindow_t;
typedef void ncclConfig_t, ncclCollConfig_t, ncclWaitSignalDesc_t;
typedef struct {
	char internal[128];
} ncclUniqueId;
