/* rows.h - what the library of fuzz_rows.c has beside the rows, and the types of these. */
#pragma once
#include "hooks/ascend/abi/abi.h"
#include "hooks/ascend/abi/mspti_abi.h"
#include "hooks/cuda/abi/abi.h"
#include "hooks/cuda/nccl/abi.h"
#include "hooks/cuda/blas/abi.h"
#include "hooks/cuda/dnn/abi.h"
#include "hooks/cuda/torch/abi.h"
#include "hooks/hip/abi/abi.h"
#include "hooks/opencl/abi.h"

/* What the library says to who asks for a name: text of this length. */
extern struct vendor_name {
	const char *text;
	size_t length;
} vendor_name;
