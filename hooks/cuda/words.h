/*
 * words.h - what the capture words of CUDA's rows do around a call; hooks/capture/words.h tells of their parts. Pointers of
 * the program are looked at when the call has succeeded, never before, but for a launch's stream in a structure (work_stream_at()).
 */
#pragma once
#define BODY_CALLED

/* Of the driver what a runtime calls, where that has come by our functions. HOOK_FAMILY is the row's. */
#define IS_PART(hook, caller) (!__builtin_strcmp(HOOK_FAMILY, DRIVER_FAMILY) && hook_called_by_vendor(hook, caller))

#include "agent/record/launch_cache.h"
#include "hooks/cuda/abi/abi.h"
#include "hooks/cuda/kinds.h"
#include "hooks/cuda/copies.h"
#include "hooks/cuda/entry_points.h"
#include "hooks/cuda/graphs.h"
#include "hooks/cuda/tracking/primary.h"
#include "hooks/cuda/tracking/tracking.h"
#include "hooks/cuda/time/cupti.h"
#include "hooks/cuda/time/time.h"
#include "hooks/capture/runtime/words.h"

#define STATUS		 CUresult
#define THE_STREAMS	 cuda_streams
#define THE_TIMES	 cuda_times
#define THE_KERNELS	 cuda_kernels
#define THE_MEMORY	 cuda_memory

#define LOCALS		 WORK_LOCALS

#define SHORT_WAY(ready, slow, go) SHORT_WAY_OF_LAUNCHES("cuda_kernels", KERNEL_MATCHES_BIT, ready, slow, go)

/* What stands for an argument in runtimes from 13 on, and before. */
#define SINCE_13(real, there, before) ((void *)(uintptr_t)(cuda_major((const void *)(real)) >= 13 ? (uintptr_t)(there) : (uintptr_t)(before)))

/* ---- graphs ---- */

#define GRAPH_KEY(graph)	cuda_graph_launch(graph)
#define DO_GRAPH_NEW(executable, graph) KEEP(cuda_graph_is(executable, graph))
#define DO_GRAPH_NODE(executable, node, name) KEEP(cuda_graph_node_is(executable, node, name))
#define DO_GRAPH_DESTROY(executable) CLOCK(cuda_graph_ends(executable))

/* PRIMARY(device, context), PRIMARY_LEFT(device): a device's own context is given out, and given back */
#define OPENS_PRIMARY(...)	TRACK
#define DO_PRIMARY(device, context) KEEP(cuda_primary_is(device, context))
#define OPENS_PRIMARY_LEFT(...)	TRACK
#define DO_PRIMARY_LEFT(device)	KEEP(if ((left = cuda_primary_left(device))) work_context_gone(&THE_TIMES, left))

/* GRAPH_ALTERED(node): of a graph. GRAPH_UNKNOWN(executable): what it consists of now nobody says */
#define OPENS_GRAPH_ALTERED(...) TRACK
#define DO_GRAPH_ALTERED(node)	KEEP(cuda_graph_altered(node))
#define OPENS_GRAPH_UNKNOWN(...) TRACK
#define DO_GRAPH_UNKNOWN(executable) KEEP(cuda_graph_unknown(executable))

/* OTHER_LISTENS(): to what we listen to */
#define OPENS_OTHER_LISTENS(...) TRACK
#define DO_OTHER_LISTENS()	CLOCK(cupti_make_way())

/* ---- the driver's functions, by name ---- */

/* ENTRY_POINT(name, where the answer stands, version, flags, streams of the thread): hands out our function for the one answered */
#define OPENS_ENTRY_POINT(...)	ALWAYS
#define DO_ENTRY_POINT(name, answer, version, flags, per_thread)		\
	KEEP(cuda_entry_point(&(struct entry_point){ name, version, flags, per_thread, caller }, answer))
