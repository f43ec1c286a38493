/*
 * words.h - what the capture words of opencl.def do around a call; hooks/capture/words.h tells of their parts.
 * Pointers of the program are looked at when the call has succeeded, never before.
 */
#pragma once
#include "hooks/opencl/abi.h"
#include "hooks/opencl/kinds.h"
#include "hooks/opencl/tracking.h"
#include "hooks/capture/wrap.h"

#define STATUS cl_int
/* released: bytes given back. known: what is tracked of the kernel. own: the event, where we
 * time. queue: of a graph. */
#define LOCALS										\
	uint64_t released __attribute__((unused)) = 0;					\
	uint16_t stream __attribute__((unused)) = 0;					\
	struct own_event own __attribute__((unused));					\
	cl_command_queue queue __attribute__((unused)) = NULL;				\
	const struct handle_slot *known __attribute__((unused)) = NULL;

/* A command on a queue, whose device time is asked for; what else there is to capture. */
#define STREAM_OF(queue)	EV.stream = opencl_stream(queue, ok)
#define COMMAND(queue, ...)	COMMAND_TIMED(GATE_TIMES, queue, ##__VA_ARGS__)
#define COMMAND_TIMED(where, queue, ...)						\
	WANT(opencl_want(&c, where, queue, &event, &own))				\
	CAPTURE(STREAM_OF(queue), ##__VA_ARGS__)					\
	AFTER(opencl_timed(&c, &own, ok))

#define SHORT_WAY(ready, slow, go) SHORT_WAY_OF_LAUNCHES("opencl_kernels", KERNEL_MATCHES_BIT, ready, slow, go)

/* ---- work ---- */

/* LAUNCH(queue, kernel, dimensions, global, local) */
#define OPENS_LAUNCH(...)	(GATE_WINDOW | GATE_CLOCK | ROW_SHORT)
#define DO_LAUNCH(queue, kernel, dims, global, local)					\
	CLOCK(known = opencl_kernel(kernel), opencl_clock(kernel, known))		\
	COMMAND(queue, EV.key = opencl_launch(kernel, known, ok, dims, global, local))

/* TASK(queue, kernel): a launch of one work-item */
#define OPENS_TASK(...)		(GATE_WINDOW | GATE_CLOCK)
#define DO_TASK(queue, kernel)								\
	CLOCK(known = opencl_kernel(kernel), opencl_clock(kernel, known))		\
	COMMAND(queue, EV.key = opencl_task(kernel, known, ok))

/* NATIVE(queue): a function of the program, run by the runtime */
#define OPENS_NATIVE(...)	GATE_WINDOW
#define DO_NATIVE(queue)	COMMAND(queue)

/* COPY(queue, direction, bytes, address, source address, blocking) */
#define OPENS_COPY(...)		(GATE_WINDOW | GATE_HARVEST)
#define DO_COPY(queue, direction, bytes, address, source, blocking)			\
	COMMAND_TIMED(GATE_TIMES_SOME, queue, EV.key = (uintptr_t)(address),		\
		EV.arg = EVENT_ARG(ok ? (bytes) : 0, direction), c.second = (uintptr_t)(source)) \
	AFTER(if (blocking) opencl_harvest())

/* FILL(queue, bytes, address) */
#define OPENS_FILL(...)		GATE_WINDOW
#define DO_FILL(queue, bytes, address)							\
	COMMAND_TIMED(GATE_TIMES_SOME, queue, EV.key = (uintptr_t)(address), EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))

/* MAP(queue, direction, bytes, address, blocking) */
#define OPENS_MAP		OPENS_COPY
#define DO_MAP(queue, direction, bytes, address, blocking)				\
	DO_COPY(queue, direction, bytes, address, 0, blocking)

/* ---- memory ---- */

/* ALLOC(bytes, object, bytes of a pixel): bytes 0 for an object that shares another's memory */
#define OPENS_ALLOC(...)	TRACK
#define DO_ALLOC(bytes, object, pixel)							\
	KEEP(opencl_new_memory(object, bytes, pixel))					\
	CAPTURE(EV.key = (uintptr_t)(object), EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))

/* ALLOC_SVM(bytes) */
#define OPENS_ALLOC_SVM(...)	TRACK
#define DO_ALLOC_SVM(bytes)	DO_ALLOC(bytes, rc, 0)

/* RETAIN_MEM(object), RELEASE_MEM(object, hook if others still hold it) */
#define OPENS_RETAIN_MEM(...)	TRACK
#define DO_RETAIN_MEM(object)								\
	KEEP(opencl_retain_memory(object))						\
	CAPTURE(EV.key = (uintptr_t)(object))

#define OPENS_RELEASE_MEM(...)	TRACK
#define DO_RELEASE_MEM(object, held)							\
	CLOCK(if (!opencl_release_memory(object, &released)) hook = (held), kind = EV_REFERENCE) \
	CAPTURE(EV.key = (uintptr_t)(object), EV.arg = EVENT_ARG(released, DIR_NONE))	\
	AFTER(if (!ok) opencl_retain_memory(object))

/* FREE_SVM(address), FREE_SVMS(queue, count, addresses) */
#define OPENS_FREE_SVM(...)	TRACK
#define DO_FREE_SVM(address)								\
	CLOCK(opencl_release_memory(address, &released))				\
	CAPTURE(EV.key = (uintptr_t)(address), EV.arg = EVENT_ARG(released, DIR_NONE))

#define OPENS_FREE_SVMS(...)	TRACK
#define DO_FREE_SVMS(queue, count, addresses)						\
	KEEP(released = opencl_release_all(count, addresses))				\
	COMMAND(queue, EV.key = (uintptr_t)opencl_first(ok, count, addresses),		\
		EV.arg = EVENT_ARG(released, DIR_NONE))					\
	AFTER(opencl_freed(&c, ok ? (count) : 0, addresses))

/* ---- queues and waiting ---- */

/* STREAM(): a queue is made, asked or changed; the custom bodies track it */
#define OPENS_STREAM(...)	ALWAYS
#define DO_STREAM()

#define OPENS_RETAIN_STREAM(...) TRACK
#define DO_RETAIN_STREAM(queue)								\
	KEEP(opencl_retain_queue(queue))						\
	CAPTURE(STREAM_OF(queue))

#define OPENS_RELEASE_STREAM(...) (TRACK | GATE_HARVEST)
#define DO_RELEASE_STREAM(queue)							\
	CLOCK(stream = opencl_stream(queue, false), opencl_release_queue(queue))	\
	CAPTURE(EV.stream = stream)

/* SYNC(queue or NULL): when it returns, device times are there to be read */
#define OPENS_SYNC(...)		(GATE_WINDOW | GATE_HARVEST)
#define DO_SYNC(queue)									\
	CAPTURE(STREAM_OF(queue))							\
	AFTER(opencl_harvest())

/* TIMES(): an event's times are asked for; the custom body hides those that we had measured */
#define OPENS_TIMES(...)	ALWAYS
#define DO_TIMES()

/* FLUSH(queue): synchronisation that does not wait */
#define OPENS_FLUSH(...)	GATE_WINDOW
#define DO_FLUSH(queue)		CAPTURE(STREAM_OF(queue))

/* ---- kernels and graphs ---- */

/* KERNEL(kernel, name), KERNELS(program, count, kernels), RETAIN_KERNEL(kernel), RELEASE_KERNEL(kernel) */
#define OPENS_KERNEL(...)	TRACK
#define DO_KERNEL(kernel, name)	KEEP(opencl_new_kernel(kernel, name))

#define OPENS_KERNELS(...)	TRACK
#define DO_KERNELS(program, count, list) KEEP(opencl_new_kernels(program, count, list))

#define OPENS_RETAIN_KERNEL(...) TRACK
#define DO_RETAIN_KERNEL(kernel) KEEP(opencl_retain_kernel(kernel))

#define OPENS_RELEASE_KERNEL(...) TRACK
#define DO_RELEASE_KERNEL(kernel) CLOCK(opencl_release_kernel(kernel))

/* GRAPH_NEW(queue): a list of commands is made for it */
#define OPENS_GRAPH_NEW(...)	TRACK
#define DO_GRAPH_NEW(queue)								\
	KEEP(opencl_new_graph(rc, queue))						\
	CAPTURE(STREAM_OF(queue))

/* GRAPH_LAUNCH(graph): all of its commands, as one launch */
#define OPENS_GRAPH_LAUNCH(...)	GATE_WINDOW
#define DO_GRAPH_LAUNCH(graph)								\
	CLOCK(queue = opencl_graph_queue(graph))					\
	COMMAND(queue)

#define OPENS_RETAIN_GRAPH(...)	TRACK
#define DO_RETAIN_GRAPH(graph)	KEEP(opencl_retain_graph(graph))

#define OPENS_RELEASE_GRAPH(...) TRACK
#define DO_RELEASE_GRAPH(graph)	CLOCK(opencl_release_graph(graph))
