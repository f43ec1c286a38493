/* abi.h - types of HIP that the rows of hooks/ do not need. Most numbers, and what kernels of tests are like, are as in the simulated CUDA. */
#pragma once
#include "hooks/hip/abi/abi.h"
#include "tests/sims/cuda/abi.h"

typedef int32_t hipStreamCaptureStatus, hipGraphNodeType;
typedef void hipKernelNodeParamsIn;
