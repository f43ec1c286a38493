/* tensor_types.h - CANN's numbers for what tensors consist of and how they lie in memory, as the trace has them. */
#pragma once
#include "hooks/ascend/abi/abi.h"

uint8_t tensor_type(aclDataType type);
uint8_t tensor_format(aclFormat format);
