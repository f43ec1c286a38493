/* tracking.h - CUDA's streams, contexts, kernels and memory: hooks/capture tells of them. */
#pragma once
#include "hooks/capture/memory.h"
#include "hooks/capture/runtime/kernels.h"
#include "hooks/capture/streams/streams.h"
#include "hooks/cuda/abi/abi.h"

extern struct streams cuda_streams OURS;
extern struct kernels cuda_kernels OURS; /* by stub, by function of the driver, by kernel */
extern struct handles cuda_memory OURS;

/* 0 to 2 are no handles: the default stream of the context, twice, and that of thread and context. */
#define LAST_SPECIAL 2
