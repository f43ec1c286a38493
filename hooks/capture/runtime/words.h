/*
 * words.h - what the capture words of CUDA's kind of runtimes do around a call, beside those of work_words.h: kernels by stub or handle,
 * streams of threads, graphs. A vendor says what is its own: THE_KERNELS, and what work_words.h wants.
 */
#pragma once
/* Launches have short ways where several libraries have such a function, too (short_launch.h). */
#define WAY_FROM_HERE "short_here_"
#define WAY_GIVEN     "short_given_"
#include "hooks/capture/runtime/kernels.h"
#include "hooks/capture/runtime/short_ways.h"
#include "hooks/capture/runtime/work_words.h"

/* NULL is the default stream; of the calling thread where a row is about those. */
#define PER_THREAD_HANDLE  2
#define LEGACY(stream)	   (stream)
#define PER_THREAD(stream) ((stream) ? (void *)(stream) : (void *)PER_THREAD_HANDLE)

/* The stream may stand in what only a call that succeeded may look at. */
#define STREAM_OF(handle)	EV.stream = ok ? STREAM_NUMBER(handle, true) : 0
#define MARK_CAPTURED(handle)							\
	if (UNLIKELY(captures_any(&THE_STREAMS))) c.captured = ok && work_is_captured(&THE_TIMES, handle)

/* Of the codes that an end of a capture fails with: it was not this stream's, or not this thread's. CUDA's numbers, which are HIP's. */
enum { CAPTURE_UNMATCHED = 903,
       CAPTURE_WRONG_THREAD = 908 };
#define GOES_ON(rc, handle)	((rc) == CAPTURE_UNMATCHED || (rc) == CAPTURE_WRONG_THREAD)

/* ---- work ---- */

/*
 * LAUNCH(stream, function, grid, block, shared): both of type dim3, and bytes that each block is given; function is a stub's address or a
 * kernel. LAUNCH_CONFIG(whose, structure, stream, ...): the stream is a member of it, and the function is the second argument
 */
#define DIM3(dims)		((dim3){ dims##X, dims##Y, dims##Z })
#define LAUNCHED(before, handle, function, ...)			\
	CLOCK(kernels_clock(&THE_KERNELS, function))						\
	TIMED(before, handle, TIME_KERNELS,					\
		EV.key = ok ? kernels_launch(&THE_KERNELS, function, __VA_ARGS__) : kernels_launch_refused(&THE_KERNELS, function))
#define OPENS_LAUNCH(...)	(GATE_WINDOW | GATE_CLOCK | ROW_SHORT | ROW_KERNEL_FIRST)
#define DO_LAUNCH(handle, function, grid, block, shared) LAUNCHED(handle, handle, function, grid, block, shared)
#define OPENS_LAUNCH_CONFIG(...) (GATE_WINDOW | GATE_CLOCK | ROW_SHORT)
#define PLACE_IN(structure, member) ((void *)((uintptr_t)(structure) + offsetof(__typeof__(*(structure)), member))) /* of one that may be NULL, too */
#define DO_LAUNCH_CONFIG(whose, structure, stream, function, grid, block, shared)	\
	LAUNCHED(whose(work_stream_at(PLACE_IN(structure, stream))), whose((structure)->stream), function, grid, block, shared)

/* GRAPH_LAUNCH(stream, graph): all of its nodes, as one launch */
#define OPENS_GRAPH_LAUNCH(...)	(GATE_WINDOW | GATE_TIME)
#define DO_GRAPH_LAUNCH(handle, graph) CLOCK(source_time_launch()) WORK(handle, EV.key = ok ? GRAPH_KEY(graph) : 0)

/* WAITED_COPY(stream, direction, bytes, address, source): when it returns, the bytes are there */
#define OPENS_WAITED_COPY(...)	(GATE_WINDOW | GATE_HARVEST)
#define DO_WAITED_COPY(handle, direction, bytes, address, source)		\
	DO_COPY(handle, direction, bytes, address, source)			\
	AFTER(if (ok) harvest_waited(&THE_TIMES, handle))

/* COPY_MANY(stream, count): copies of which only their number is told */
#define OPENS_COPY_MANY(...)	GATE_WINDOW
#define DO_COPY_MANY(handle, count) TIMED(handle, handle, TIME_ALWAYS, EV.arg = EVENT_ARG(0, DIR_OTHER), c.items = count)

/* ALLOC_ON(stream, bytes, address), RELEASE_ON(stream, address): in the order of a stream's work */
#define OPENS_ALLOC_ON		OPENS_ALLOC
#define DO_ALLOC_ON(handle, bytes, address) DO_ALLOC(bytes, address) CAPTURE(STREAM_OF(handle))
#define OPENS_RELEASE_ON	OPENS_RELEASE
#define DO_RELEASE_ON(handle, address) DO_RELEASE(address) CAPTURE(STREAM_OF(handle))

/* EVENT_ON(stream): something for it that is no work */
#define OPENS_EVENT_ON(...)	GATE_WINDOW
#define DO_EVENT_ON(handle)	CAPTURE(STREAM_OF(handle))

/* ---- kernels ---- */

/*
 * FUNCTION(function, module, name): from now on this handle is a kernel of the module. FUNCTION_OF(function, other): it is the one
 * that another handle, or a stub's address, stands for. MODULE_END(module): with all of its kernels
 */
#define OPENS_FUNCTION(...)	TRACK
#define DO_FUNCTION(function, module, name) KEEP(kernels_new(&THE_KERNELS, function, module, name))
#define OPENS_FUNCTION_OF(...)	TRACK
#define DO_FUNCTION_OF(function, other) KEEP(kernels_same(&THE_KERNELS, function, other))
#define OPENS_MODULE_END(...)	TRACK
#define DO_MODULE_END(module)	CLOCK(kernels_module_ends(&THE_KERNELS, module))

/* ---- graphs ---- */

/* GRAPH_ON(stream): something of the kind of GRAPH_BEGIN */
#define OPENS_GRAPH_ON(...)	GATE_WINDOW
#define DO_GRAPH_ON(handle)	CAPTURE(STREAM_OF(handle))

/*
 * GRAPH_NEW(executable, graph): made, or changed, to be what the graph is. GRAPH_NODE(executable, node, name): its copy of the node is the
 * kernel of this name from now on. GRAPH_DESTROY(executable). What they do, and GRAPH_KEY of a launch, a vendor says.
 */
#define OPENS_GRAPH_NEW(...)	TRACK
#define OPENS_GRAPH_NODE(...)	TRACK
#define OPENS_GRAPH_DESTROY(...) TRACK
