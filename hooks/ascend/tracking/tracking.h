/* tracking.h - Ascend's kernels and memory; streams.h has its streams. */
#pragma once
#include "hooks/ascend/tracking/streams.h"
#include "hooks/capture/functions.h"
#include "hooks/capture/memory.h"

extern struct functions ascend_functions OURS; /* by handle, or address of a stub */
extern struct handles ascend_memory OURS;

/* enum copy_direction of an aclrtMemcpyKind, or of an rtMemcpyKind_t. */
unsigned int ascend_direction(aclrtMemcpyKind kind);
unsigned int ascend_rt_direction(rtMemcpyKind_t kind);
