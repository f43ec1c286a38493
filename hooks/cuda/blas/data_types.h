/* data_types.h - CUDA's numbers for what matrices consist of, as the trace has them. */
#pragma once
#include "hooks/cuda/blas/abi.h"

uint8_t cuda_data_type(cudaDataType type);
