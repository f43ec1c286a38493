/* tracking.h - HIP's streams, devices, kernels and memory: hooks/capture tells of them. */
#pragma once
#include "hooks/capture/memory.h"
#include "hooks/capture/runtime/kernels.h"
#include "hooks/capture/streams/streams.h"
#include "hooks/hip/abi/abi.h"

extern struct streams hip_streams OURS;
extern struct kernels hip_kernels OURS; /* by stub, by function of a module, by kernel of a library */
extern struct handles hip_memory OURS;

/* 0 to 2 are no handles: the default stream of the device, twice, and that of thread and device. */
#define LAST_SPECIAL 2
