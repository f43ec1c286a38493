/* abi.h - PyTorch: what its allocators tell of themselves with, as in c10/core/Device.h and DeviceType.h since 1.7. */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
	int8_t type, index;
} c10_device;
enum { C10_CUDA = 1 };
