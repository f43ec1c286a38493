/*
 * words.h - what the capture words of acl.def and its like do around a call; words.h tells of their parts.
 * Pointers of the program are looked at when the call has succeeded, never before.
 */
#pragma once
#define BODY_CALLED
#include "hooks/ascend/abi/abi.h"
#include "hooks/ascend/kinds.h"
#include "hooks/ascend/aclnn/aclnn.h"
#include "hooks/ascend/tracking/capture.h"
#include "hooks/ascend/hccl/hccl.h"
#include "hooks/ascend/aclnn/plans.h"
#include "hooks/ascend/aclnn/shapes.h"
#include "hooks/ascend/time/harvest.h"
#include "hooks/ascend/time/other_profilers.h"
#include "hooks/ascend/time/time.h"
#include "hooks/ascend/tracking/contexts.h"
#include "hooks/capture/wrap.h"
#include "hooks/rows/table.h"

#define STATUS aclError
/* released: bytes given back, or moved; or the number of what ends. ended: number of a stream that ends. own: what
 * we time. */
#define LOCALS							\
	uint64_t released __attribute__((unused)) = 0;		\
	struct ascend_timed own __attribute__((unused));	\
	uint16_t ended __attribute__((unused)) = 0;

#define SHORT_WAY(taken, slow)	""
#define STREAM_OF(handle)	EV.stream = ascend_stream(handle, ok)
#define DIRECTION(kind)		ascend_direction(kind)
#define RT_DIRECTION(kind)	ascend_rt_direction(kind)

/* Work for a stream, whose device time is asked for (time/time.h: what it is); what there is to capture */
#define TIMED(handle, what, ...)						\
	WANT(ascend_time_want(&c, handle, &own, what))				\
	KEEP(ascend_time_called(&c, &own))						\
	CAPTURE(STREAM_OF(handle), ##__VA_ARGS__)				\
	AFTER(ascend_time_recorded(&c, &own, ok))
#define WORK(handle, ...)	TIMED(handle, 0, ##__VA_ARGS__)

/* ---- work ---- */

/* LAUNCH(stream, function, blocks): function is a handle or a stub's address */
#define OPENS_LAUNCH(...)	(GATE_WINDOW | GATE_CLOCK)
#define DO_LAUNCH(handle, function, blocks)					\
	CLOCK(ascend_clock(function))						\
	TIMED(handle, TIME_KERNELS, EV.key = ascend_launch(function, ok, 1, &(size_t){ blocks }))

/* LAUNCH3(stream, function, grid, block): both of type dim3 */
#define OPENS_LAUNCH3		OPENS_LAUNCH
#define DO_LAUNCH3(handle, function, grid, block)				\
	CLOCK(ascend_clock(function))						\
	TIMED(handle, TIME_KERNELS, EV.key = ascend_launch(function, ok, 3, (size_t[]){ grid.x, grid.y, grid.z }))

/* NAMED_LAUNCH(stream, name): a kernel that the call names; NAMED(stream, name): an operator */
#define OPENS_NAMED_LAUNCH(...)	(GATE_WINDOW | GATE_TIME)
#define DO_NAMED_LAUNCH(handle, name)						\
	CLOCK(source_time_launch())						\
	TIMED(handle, TIME_KERNELS, EV.key = ascend_named(ok ? (name) : NULL))
#define OPENS_NAMED		OPENS_NAMED_LAUNCH
#define DO_NAMED(handle, name)							\
	CLOCK(source_time_launch())						\
	TIMED(handle, TIME_OPERATOR, EV.key = ascend_named(ok ? (name) : NULL))

/* SECOND(stream, name, plan): an operator's second phase, with what its first has made */
#define OPENS_SECOND(...)	(GATE_WINDOW | GATE_SHAPES)
#define DO_SECOND(handle, name, plan)						\
	CLOCK(released = aclnn_planned(plan, name))				\
	TIMED(handle, TIME_OPERATOR, EV.key = released ? released : ascend_named(name), EV.arg = aclnn_plan_arg(plan))

/* TASK(stream): work without a name: callbacks, reductions, cache operations */
#define OPENS_TASK(...)		GATE_WINDOW
#define DO_TASK(handle)		WORK(handle)

/* GRAPH_LAUNCH(stream): all that was captured, or a whole model, as one launch */
#define OPENS_GRAPH_LAUNCH(...)	(GATE_WINDOW | GATE_TIME)
#define DO_GRAPH_LAUNCH(handle)	CLOCK(source_time_launch()) WORK(handle)

/* COPY(stream, direction, bytes, address, source) */
#define OPENS_COPY(...)		GATE_WINDOW
#define DO_COPY(handle, direction, bytes, address, source)			\
	WORK(handle, EV.key = (uintptr_t)(address),		\
		EV.arg = EVENT_ARG(ok ? (bytes) : 0, direction), c.second = (uintptr_t)(source))

/* COPIES(stream, count, sizes, addresses, sources): how many, the bytes of all, the addresses of the first */
#define OPENS_COPIES(...)	GATE_WINDOW
#define DO_COPIES(handle, count, sizes, addresses, sources)			\
	WORK(handle, EV.key = ok && (count) ? (uintptr_t)(addresses)[0] : 0, \
		EV.arg = EVENT_ARG(ok ? ascend_sum(sizes, count) : 0, DIR_OTHER), \
		c.second = ok && (count) ? (uintptr_t)(sources)[0] : 0, c.items = count)

/* MIGRATE(stream, bytes, address), MIGRATIONS(stream, count, sizes, addresses): managed memory comes nearer */
#define OPENS_MIGRATE(...)	GATE_WINDOW
#define DO_MIGRATE(handle, bytes, address) DO_COPY(handle, DIR_OTHER, bytes, address, NULL)
#define OPENS_MIGRATIONS(...)	GATE_WINDOW
#define DO_MIGRATIONS(handle, count, sizes, addresses)				\
	WORK(handle, EV.key = ok && (count) ? (uintptr_t)(addresses)[0] : 0, \
		EV.arg = EVENT_ARG(ok ? ascend_sum(sizes, count) : 0, DIR_OTHER), c.items = count)

/* FILL(stream, bytes, address) */
#define OPENS_FILL(...)		GATE_WINDOW
#define DO_FILL(handle, bytes, address)						\
	WORK(handle, EV.key = (uintptr_t)(address), EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))

/* ---- memory ---- */

/* ALLOC(bytes, address), RELEASE(address) */
#define OPENS_ALLOC(...)	TRACK
#define DO_ALLOC(bytes, address)						\
	KEEP(ascend_new_memory(address, bytes))					\
	CAPTURE(EV.key = ok ? (uintptr_t)(address) : 0, EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))
#define OPENS_RELEASE(...)	TRACK
#define DO_RELEASE(address)							\
	CLOCK(released = ascend_end_memory(address))				\
	CAPTURE(EV.key = (uintptr_t)(address), EV.arg = EVENT_ARG(released, DIR_NONE)) \
	AFTER(if (!ok && released) ascend_new_memory(address, released))

/* ALLOC_HOST(bytes, address), RELEASE_HOST(address): the same of memory of the host */
#define OPENS_ALLOC_HOST	OPENS_ALLOC
#define DO_ALLOC_HOST		DO_ALLOC
#define OPENS_RELEASE_HOST	OPENS_RELEASE
#define DO_RELEASE_HOST		DO_RELEASE

/* SEGMENT(bytes, address): addresses that memory is, or was, mapped at. MEMORY(): pools and their like */
#define OPENS_SEGMENT(...)	GATE_WINDOW
#define DO_SEGMENT(bytes, address)						\
	CAPTURE(EV.key = ok ? (uintptr_t)(address) : 0, EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))
#define OPENS_MEMORY(...)	GATE_WINDOW
#define DO_MEMORY()

/* ---- streams and waiting ---- */

/* STREAM_NEW(stream), STREAM_END(stream), STREAM(stream): made, ended, changed */
#define OPENS_STREAM_NEW(...)	TRACK
#define DO_STREAM_NEW(handle)							\
	KEEP(ascend_new_stream(handle))						\
	CAPTURE(EV.stream = ok ? ascend_stream(handle, ok) : 0)
#define OPENS_STREAM_END(...)	(TRACK | GATE_HARVEST)
#define DO_STREAM_END(handle)							\
	CLOCK(harvest_stream_ends(handle), ended = ascend_stream(handle, false), ascend_end_stream(handle)) \
	CAPTURE(EV.stream = ended)
#define OPENS_STREAM(...)	GATE_WINDOW
#define DO_STREAM(handle)	CAPTURE(STREAM_OF(handle))

/* SYNC(stream): when it returns, device times are there to be read */
#define OPENS_SYNC(...)		(GATE_WINDOW | GATE_HARVEST)
#define DO_SYNC(handle)								\
	CAPTURE(STREAM_OF(handle))						\
	AFTER(if (ok) harvest_waited(handle))

/* ---- kernels and contexts ---- */

/* FUNCTION(function, name): from now on this handle, or this address of a stub, is a kernel; name NULL: ask */
#define OPENS_FUNCTION(...)	TRACK
#define DO_FUNCTION(function, name) KEEP(ascend_new_function(function, name))

/* CONTEXT(): devices and contexts. CONTEXT_TO(place): the thread goes there. CONTEXT_END(context), DEVICE_END(number): with all that it has */
#define OPENS_CONTEXT(...)	GATE_WINDOW
#define DO_CONTEXT()
#define OPENS_CONTEXT_TO(...)	TRACK
#define DO_CONTEXT_TO(place)	CLOCK(contexts_go_to(place))
#define OPENS_CONTEXT_END(...)	(TRACK | GATE_HARVEST)
#define DO_CONTEXT_END(context) CLOCK(harvest_context_ends(context), contexts_end(context))
#define OPENS_DEVICE_END(...)	(TRACK | GATE_HARVEST)
#define DO_DEVICE_END(number)	CLOCK(harvest_device_ends(number), contexts_end(NULL))

/* ---- others who measure (mspti.def) ---- */

#define OPENS_OTHER_BEGINS(...)	TRACK
#define DO_OTHER_BEGINS(who)	CLOCK(other_profilers_begin(who)) AFTER(if (!ok) other_profilers_end(who))
#define OPENS_OTHER_ENDS(...)	TRACK
#define DO_OTHER_ENDS(who)	KEEP(other_profilers_end(who))

/* ---- captures ---- */

/* GRAPH_BEGIN(stream), GRAPH_END(stream): between them the stream's work is kept, or changes what was kept */
#define OPENS_GRAPH_BEGIN(...)	TRACK
#define DO_GRAPH_BEGIN(handle)	KEEP(capture_begins(handle))
#define OPENS_GRAPH_END(...)	TRACK
#define DO_GRAPH_END(handle)	AFTER(capture_ends(handle))

/* ---- collectives (hccl.def) ---- */

/* A collective: step source may count it. */
#define HCCL_TICK(communicator, may_ask)						\
	if (ok && UNLIKELY(source_collective_listens()) && !hook_called_by_vendor(hook, caller)) \
		hccl_tick(hook_rows[hook].name, communicator, may_ask)

/* COLLECTIVE(stream, communicator, count, type, operation, root or peer) */
#define OPENS_COLLECTIVE(...)	(GATE_WINDOW | GATE_COLLECTIVES)
#define DO_COLLECTIVE(handle, communicator, elements, kind_of, operation, other)	\
	TIMED(handle, TIME_COLLECTIVE,							\
		EV.key = hccl_collective(&(struct hccl_call){ communicator, elements, kind_of, operation, other }, ok, \
					 &released),				\
		EV.arg = EVENT_ARG(ok ? released : 0, DIR_NONE))				\
	AFTER(HCCL_TICK(communicator, true))

/* BATCH(stream, communicator, count, items): sending and receiving, all at once */
#define OPENS_BATCH(...)	(GATE_WINDOW | GATE_COLLECTIVES)
#define DO_BATCH(handle, communicator, items, what)				\
	TIMED(handle, TIME_COLLECTIVE,						\
		EV.key = hccl_collective(&(struct hccl_call){ communicator, items, NO_TYPE, NO_OP, NO_PEER }, ok, \
					 &released),				\
		EV.arg = EVENT_ARG(ok ? hccl_bytes(what, items) : 0, DIR_NONE))	\
	AFTER(HCCL_TICK(communicator, true))

/* COMM_NEW(communicator, rank, size, group), COMM_ALL(communicators, devices, count), COMM_END(communicator) */
#define OPENS_COMM_NEW(...)	TRACK
#define DO_COMM_NEW(made, rank_in_it, size, group)				\
	KEEP(hccl_new(made, rank_in_it, size, group))				\
	CAPTURE(EV.key = ok ? hccl_communicator(made) : 0)
#define OPENS_COMM_ALL(...)	TRACK
#define DO_COMM_ALL(made, on, count)						\
	KEEP(hccl_new_all(made, on, count))					\
	CAPTURE(EV.key = ok && count ? hccl_communicator((made)[0]) : 0)
#define OPENS_COMM_END(...)	TRACK
#define DO_COMM_END(ending)							\
	CLOCK(released = hccl_communicator(ending), hccl_end(ending))		\
	CAPTURE(EV.key = released)

/* COMMUNICATOR(): the call itself is all there is to tell */
#define OPENS_COMMUNICATOR(...)	GATE_WINDOW
#define DO_COMMUNICATOR()

/* ---- collectives beside HCCL's (lccl.def, shmem.def) ---- */

/* LCCL(stream, communicator, count, type, operation, root) */
#define OPENS_LCCL(...)		(GATE_WINDOW | GATE_COLLECTIVES)
#define DO_LCCL(handle, communicator, elements, kind_of, operation, other)	\
	TIMED(handle, TIME_OUTER,						\
		EV.key = lccl_collective(&(struct hccl_call){ communicator, (uint64_t)(elements), kind_of, operation, other }, \
					 ok, &released),			\
		EV.arg = EVENT_ARG(ok ? released : 0, DIR_NONE))		\
	AFTER(HCCL_TICK(communicator, false))

/* ONE_SIDED(stream, bytes, peer) */
#define OPENS_ONE_SIDED(...)	GATE_WINDOW
#define DO_ONE_SIDED(handle, bytes, other)					\
	DO_LCCL(handle, NULL, bytes, HCCL_DATA_TYPE_UINT8, NO_OP, other)

/* LCCL_NEW(communicator, rank, size, group), LCCL_ALL(communicators, devices, count) */
#define OPENS_LCCL_NEW(...)	TRACK
#define DO_LCCL_NEW(made, rank_in_it, size, group)				\
	KEEP(lccl_new(made, rank_in_it, (uint64_t)(size), group))		\
	CAPTURE(EV.key = ok ? hccl_communicator(made) : 0)
#define OPENS_LCCL_ALL(...)	TRACK
#define DO_LCCL_ALL(made, on, count)						\
	KEEP(lccl_new_all(made, on, count))					\
	CAPTURE(EV.key = ok && (count) ? hccl_communicator((made)[0]) : 0)

/* ---- what operators are given (tensors.def) ---- */

/* TENSOR(tensor, dimensions, how many, type, format), TENSOR_END(tensor), TENSORS(list, tensors, count), TENSORS_END(list) */
#define OPENS_TENSOR(...)	GATE_SHAPES
#define DO_TENSOR(made, dims, count, type, format)				\
	KEEP(shapes_tensor(made, &(struct tensor_given){ dims, count, type, format }))
#define OPENS_TENSOR_END(...)	GATE_SHAPES
#define DO_TENSOR_END(ending)	CLOCK(shapes_end_tensor(ending))
#define OPENS_TENSORS(...)	GATE_SHAPES
#define DO_TENSORS(made, tensors, count) KEEP(shapes_list(made, tensors, count))
#define OPENS_TENSORS_END(...)	GATE_SHAPES
#define DO_TENSORS_END(ending)	CLOCK(shapes_end_list(ending))

/* REPEATABLE(plan): it may be run more than once */
#define OPENS_REPEATABLE(...)	GATE_SHAPES
#define DO_REPEATABLE(plan)	KEEP(plans_repeat(plan))

/* PLAN_KEY(key): the next plan is kept under this key, 0: it is not. PLAN_FOUND(plan, key): it is one that was kept */
#define OPENS_PLAN_KEY(...)	GATE_SHAPES
#define DO_PLAN_KEY(key)	KEEP(shapes_set_key(key))
#define OPENS_PLAN_FOUND(...)	GATE_SHAPES
#define DO_PLAN_FOUND(plan, key) KEEP(plans_found(plan, key))
