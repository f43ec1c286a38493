/* kinds.h - CUDA's sonames, and which kind of event its capture words tell of (hooks/cuda/words.h: what they do). */
#pragma once
#include "hooks/capture/runtime/kinds.h"

/*
 * How sonames begin. The driver's family has the runtime in it: what a shared runtime asks of the driver is part of the
 * program's call to the runtime, and it gets the driver's own functions.
 */
#define RUNTIME_FAMILY		"libcudart"
#define DRIVER_FAMILY		"libcuda.so libcudart"

#define KIND_ENTRY_POINT(...)	EV_RESOLVE
#define KIND_PRIMARY(...)	EV_MODULE
#define KIND_PRIMARY_LEFT(...)	EV_MODULE
#define KIND_GRAPH_ALTERED(...) EV_GRAPH
#define KIND_GRAPH_UNKNOWN(...) EV_GRAPH
#define KIND_OTHER_LISTENS(...) EV_MODULE
