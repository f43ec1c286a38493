/*
 * words.h - what the capture words of HIP's rows do around a call: those of runtimes (hooks/capture/runtime/words.h), and its own.
 */
#pragma once
#define BODY_CALLED
#include "hooks/hip/abi/abi.h"
#include "hooks/hip/kinds.h"
#include "hooks/hip/copies.h"
#include "hooks/hip/entry_points.h"
#include "hooks/hip/time.h"
#include "hooks/hip/tracking/tracking.h"
#include "hooks/capture/runtime/words.h"

#define STATUS		 hipError_t
#define THE_STREAMS	 hip_streams
#define THE_TIMES	 hip_times
#define THE_KERNELS	 hip_kernels
#define THE_MEMORY	 hip_memory
#define LOCALS		 WORK_LOCALS

#define SHORT_WAY(ready, slow, go) SHORT_WAY_OF_LAUNCHES("hip_kernels", KERNEL_MATCHES_BIT, ready, slow, go)

/* What a graph consists of nobody is asked. */
#define GRAPH_KEY(graph)	0
#define DO_GRAPH_NEW(executable, graph)
#define DO_GRAPH_DESTROY(executable)

/* EXT_LAUNCH(stream, function, threads, block, shared): as many threads in all, in blocks of these, which are given so many bytes each */
#define SIZES(dims)		((size_t[]){ dims##X, dims##Y, dims##Z })
#define OPENS_EXT_LAUNCH(...)	(GATE_WINDOW | GATE_CLOCK)
#define DO_EXT_LAUNCH(handle, function, threads, block, shared)			\
	CLOCK(kernels_clock(&THE_KERNELS, function))				\
	TIMED(handle, handle, TIME_KERNELS,					\
		EV.key = ok ? kernels_launch_threads(&THE_KERNELS, function, SIZES(threads), SIZES(block), shared) \
			    : kernels_launch_refused(&THE_KERNELS, function))

/* ENTRY_POINT(name, where the answer stands, flags, streams of the thread): hands out our function for the one answered */
#define OPENS_ENTRY_POINT(...)	ALWAYS
#define DO_ENTRY_POINT(name, answer, flags, per_thread)				\
	KEEP(hip_entry_point(&(struct entry_point){ name, flags, per_thread, caller }, answer))
