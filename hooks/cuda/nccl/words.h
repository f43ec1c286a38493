/*
 * words.h - what the capture words of nccl.def do around a call, beside those of runtimes (hooks/capture/runtime/words.h). The streams
 * are those of whose library the real function is.
 */
#pragma once
#define BODY_CALLED
#define ROWS_ARE_MANY
/* 7: ncclInProgress, of a communicator that does not block */
#define IS_GOOD(rc) ((rc) == 0 || (rc) == 7)
#include "hooks/capture/runtime/words.h"
#include "hooks/rows/table.h"
#include "hooks/cuda/nccl/kinds.h"
#include "hooks/cuda/nccl/nccl.h"

#define STATUS		 ncclResult_t
#define THE_TIMES	 (*nccl_times((const void *)real))
#define THE_STREAMS	 (*THE_TIMES.streams)
#define THE_MEMORY	 nccl_memory
#define ALL		 nccl_communicators((const void *)real)
#define LAST_SPECIAL	 2 /* of each of them */

/* queued: the stream of a group. */
#define LOCALS	WORK_LOCALS cudaStream_t queued __attribute__((unused)) = NO_STREAM;

#define SHORT_WAY(ready, slow, go) ""

/* COLLECTIVE(stream, communicator, count, type, operation, root or peer). In a group it is queued, and has no time of its own */
#define OPENS_COLLECTIVE(...)	(GATE_WINDOW | GATE_COLLECTIVES)
#define DO_COLLECTIVE(handle, communicator, elements, kind_of, operation, other)	\
	TIMED(nccl_in_group() ? NO_STREAM : (handle), handle, TIME_COLLECTIVE | TIME_ALWAYS, \
		EV.key = nccl_collective(ALL, &(struct nccl_call){ communicator, elements, kind_of, operation, other }, ok, \
					 &released),					\
		EV.arg = EVENT_ARG(ok ? released : 0, DIR_NONE))				\
	AFTER(if (ok) nccl_queued(handle))						\
	AFTER(if (ok && UNLIKELY(source_collective_listens()) && !hook_called_by_vendor(hook, caller)) \
		communicators_tick(ALL, hook_rows[hook].name, communicator, true))

/* GROUP_START(), GROUP_END(): what was queued between them is one collective, of the stream that came last */
#define OPENS_GROUP_START(...)	TRACK
#define DO_GROUP_START()	KEEP(nccl_group_starts())
#define OPENS_GROUP_END(...)	TRACK
#define DO_GROUP_END()									\
	CLOCK(if (!nccl_group_ends(&queued)) hook = HOOK_ncclGroupEnd_as_COMMUNICATOR, kind = EV_COMMUNICATOR) \
	TIMED(queued, queued, TIME_COLLECTIVE | TIME_ALWAYS)

/* COMM_NEW(communicator, rank, size, group), COMM_ALL(communicators, devices, count), COMM_END(communicator) */
#define OPENS_COMM_NEW(...)	TRACK
#define DO_COMM_NEW(made, rank_in_it, size, group)				\
	KEEP(nccl_new(ALL, made, rank_in_it, size, group))				\
	CAPTURE(EV.key = ok ? communicators_id(ALL, made) : 0)
#define OPENS_COMM_ALL(...)	TRACK
#define DO_COMM_ALL(made, on, count)						\
	KEEP(communicators_new_all(ALL, made, on, (uint32_t)(count), true)) \
	CAPTURE(EV.key = ok && (count) > 0 ? communicators_id(ALL, (made)[0]) : 0)
#define OPENS_COMM_END(...)	TRACK
#define DO_COMM_END(ending)							\
	CLOCK(released = communicators_id(ALL, ending), communicators_end(ALL, ending)) \
	CAPTURE(EV.key = released)

/* COMMUNICATOR(): the call itself is all there is to tell */
#define OPENS_COMMUNICATOR(...)	GATE_WINDOW
#define DO_COMMUNICATOR()
