/*
 * words.h - what the capture words of acl.def and its like do around a call, beside those of hooks/capture/runtime/work_words.h.
 */
#pragma once
#ifndef BODY_IN_LINE
#define BODY_CALLED
#endif
#include "hooks/ascend/abi/abi.h"
#include "hooks/ascend/kinds.h"
#include "hooks/ascend/aclnn/aclnn.h"
#include "hooks/ascend/hccl/hccl.h"
#include "hooks/ascend/aclnn/plans.h"
#include "hooks/ascend/aclnn/shapes.h"
#include "hooks/ascend/time/other_profilers.h"
#include "hooks/ascend/time/time.h"
#include "hooks/ascend/tracking/tracking.h"
#include "hooks/capture/runtime/work_words.h"

/* No code says it. */
#define GOES_ON(rc, handle) work_is_captured(&THE_TIMES, handle)
#include "hooks/rows/table.h"

#define STATUS		 aclError
#define THE_STREAMS	 ascend_streams
#define THE_TIMES	 ascend_times
#define THE_MEMORY	 ascend_memory
#define LOCALS		 WORK_LOCALS /* released: or bytes that were moved, or the number of what ends */
#define SHORT_WAY(ready, slow, go) ""
#define STREAM_OF(handle)	EV.stream = ascend_stream(handle, ok)
#define MARK_CAPTURED(handle)	(void)0
#define DIRECTION(kind)		ascend_direction(kind)
#define RT_DIRECTION(kind)	ascend_rt_direction(kind)

/* ---- work ---- */

/* LAUNCH(stream, function, blocks): function is a handle or a stub's address */
#define OPENS_LAUNCH(...)	(GATE_WINDOW | GATE_CLOCK)
#define DO_LAUNCH(handle, function, blocks)					\
	CLOCK(functions_clock(&ascend_functions, function))						\
	TIMED(handle, handle, TIME_KERNELS, EV.key = functions_launch(&ascend_functions, function, ok, 1, &(size_t){ blocks }, NULL))

/* LAUNCH3(stream, function, grid, block): both of type dim3 */
#define OPENS_LAUNCH3		OPENS_LAUNCH
#define DO_LAUNCH3(handle, function, grid, block)				\
	CLOCK(functions_clock(&ascend_functions, function))						\
	TIMED(handle, handle, TIME_KERNELS, EV.key = functions_launch(&ascend_functions, function, ok, 3, (size_t[]){ grid.x, grid.y, grid.z }, NULL))

/* NAMED_LAUNCH(stream, name): a kernel that the call names; NAMED(stream, name): an operator */
#define OPENS_NAMED_LAUNCH(...)	(GATE_WINDOW | GATE_TIME)
#define DO_NAMED_LAUNCH(handle, name)						\
	CLOCK(source_time_launch())						\
	TIMED(handle, handle, TIME_KERNELS, EV.key = functions_named(ok ? (name) : NULL))
#define OPENS_NAMED		OPENS_NAMED_LAUNCH
#define DO_NAMED(handle, name)							\
	CLOCK(source_time_launch())						\
	TIMED(handle, handle, TIME_OPERATOR, EV.key = functions_named(ok ? (name) : NULL))

/* SECOND(stream, name, plan): an operator's second phase, with what its first has made */
#define OPENS_SECOND(...)	(GATE_WINDOW | GATE_SHAPES)
#define DO_SECOND(handle, name, plan)						\
	CLOCK(released = aclnn_planned(plan, name))				\
	TIMED(handle, handle, TIME_OPERATOR, EV.key = released ? released : functions_named(name), EV.arg = aclnn_plan_arg(plan)) \
	AFTER(aclnn_plan_run())

/* GRAPH_LAUNCH(stream): all that was captured, or a whole model, as one launch */
#define OPENS_GRAPH_LAUNCH(...)	(GATE_WINDOW | GATE_TIME)
#define DO_GRAPH_LAUNCH(handle)	CLOCK(source_time_launch()) WORK(handle)

/* What it is given stands in no structure of the program's: of a copy that failed it is told, too. */
#undef  DO_COPY
#define DO_COPY(handle, direction, bytes, address, source)			\
	COPYING(handle, EV.key = (uintptr_t)(address),		\
		EV.arg = EVENT_ARG(ok ? (bytes) : 0, direction), c.second = (uintptr_t)(source))

/* ---- kernels ---- */

/* FUNCTION(function, name): from now on this handle, or this address of a stub, is a kernel; name NULL: ask */
#define OPENS_FUNCTION(...)	TRACK
#define DO_FUNCTION(function, name) KEEP(functions_new(&ascend_functions, function, name))

/* ---- others who measure (mspti.def) ---- */

#define OPENS_OTHER_BEGINS(...)	TRACK
#define DO_OTHER_BEGINS(who)	CLOCK(other_profilers_begin(who)) AFTER(if (!ok) other_profilers_end(who))
#define OPENS_OTHER_ENDS(...)	TRACK
#define DO_OTHER_ENDS(who)	KEEP(other_profilers_end(who))

/* ---- collectives (hccl.def) ---- */

/* A collective: step source may count it. */
#define HCCL_TICK(communicator, may_ask)						\
	if (ok && UNLIKELY(source_collective_listens()) && !hook_called_by_vendor(hook, caller)) \
		communicators_tick(&hccl_communicators, hook_rows[hook].name, communicator, may_ask)

/* COLLECTIVE(stream, communicator, count, type, operation, root or peer) */
#define OPENS_COLLECTIVE(...)	(GATE_WINDOW | GATE_COLLECTIVES)
#define DO_COLLECTIVE(handle, communicator, elements, kind_of, operation, other)	\
	TIMED(handle, handle, TIME_COLLECTIVE | TIME_ALWAYS,							\
		EV.key = hccl_collective(&(struct hccl_call){ communicator, elements, kind_of, operation, other }, ok, \
					 &released),				\
		EV.arg = EVENT_ARG(ok ? released : 0, DIR_NONE))				\
	AFTER(HCCL_TICK(communicator, true))

/* BATCH(stream, communicator, count, items): sending and receiving, all at once */
#define OPENS_BATCH(...)	(GATE_WINDOW | GATE_COLLECTIVES)
#define DO_BATCH(handle, communicator, items, what)				\
	TIMED(handle, handle, TIME_COLLECTIVE | TIME_ALWAYS,						\
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
	KEEP(communicators_new_all(&hccl_communicators, made, on, count, true))	\
	CAPTURE(EV.key = ok && count ? hccl_communicator((made)[0]) : 0)
#define OPENS_COMM_END(...)	TRACK
#define DO_COMM_END(ending)							\
	CLOCK(released = hccl_communicator(ending), communicators_end(&hccl_communicators, ending))		\
	CAPTURE(EV.key = released)

/* COMMUNICATOR(): the call itself is all there is to tell */
#define OPENS_COMMUNICATOR(...)	GATE_WINDOW
#define DO_COMMUNICATOR()

/* ---- collectives beside HCCL's (lccl.def, shmem.def) ---- */

/* LCCL(stream, communicator, count, type, operation, root) */
#define OPENS_LCCL(...)		(GATE_WINDOW | GATE_COLLECTIVES)
#define DO_LCCL(handle, communicator, elements, kind_of, operation, other)	\
	TIMED(handle, handle, TIME_OUTER | TIME_ALWAYS,						\
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
	KEEP(communicators_new_all(&hccl_communicators, made, on, (uint32_t)(count), false)) \
	CAPTURE(EV.key = ok && (count) ? hccl_communicator((made)[0]) : 0)

/* ---- what operators are given (tensors.def) ---- */

/* TENSOR(tensor, dimensions, how many, type, format), TENSOR_END(tensor), TENSORS(list, tensors, count), TENSORS_END(list) */
#define OPENS_TENSOR(...)	GATE_SHAPES
#define DO_TENSOR(made, dims, count, type, format)				\
	KEEP(shapes_tensor(made, dims, count, GIVEN_KIND(type, format)))
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
#define OPENS_PLAN_FOUND(...)	(GATE_SHAPES | GATE_STACKS)
#define DO_PLAN_FOUND(plan, key) KEEP(plans_found(plan, key))
