/* kinds.h - OpenCL's sonames, and which kind of event its capture words tell of (hooks/opencl/words.h: what they do). */
#pragma once
#include "hooks/rows/kinds.h"

#define OPENCL_FAMILY		 "libOpenCL" /* how sonames begin: libOpenCL-1a2b.so.1 of a Python wheel, too */

#define KIND_LAUNCH(...)	 EV_LAUNCH
#define KIND_TASK(...)		 EV_LAUNCH
#define KIND_NATIVE(...)	 EV_LAUNCH
#define KIND_COPY(...)		 EV_COPY
#define KIND_FILL(...)		 EV_FILL
#define KIND_MAP(...)		 EV_MAP
#define KIND_ALLOC(...)		 EV_ALLOC
#define KIND_ALLOC_SVM(...)	 EV_ALLOC
#define KIND_RETAIN_MEM(...)	 EV_REFERENCE
#define KIND_RELEASE_MEM(...)	 EV_FREE
#define KIND_FREE_SVM(...)	 EV_FREE
#define KIND_FREE_SVMS(...)	 EV_FREE
#define KIND_STREAM(...)	 EV_STREAM
#define KIND_RETAIN_STREAM(...)	 EV_STREAM
#define KIND_RELEASE_STREAM(...) EV_STREAM
#define KIND_KERNEL(...)	 EV_MODULE
#define KIND_KERNELS(...)	 EV_MODULE
#define KIND_RETAIN_KERNEL(...)	 EV_MODULE
#define KIND_RELEASE_KERNEL(...) EV_MODULE
#define KIND_SYNC(...)		 EV_SYNC
#define KIND_FLUSH(...)		 EV_SYNC
#define KIND_TIMES(...)		 EV_EVENT
#define KIND_GRAPH_NEW(...)	 EV_GRAPH
#define KIND_GRAPH_LAUNCH(...)	 EV_LAUNCH
#define KIND_RETAIN_GRAPH(...)	 EV_GRAPH
#define KIND_RELEASE_GRAPH(...)	 EV_GRAPH
