/*
 * work_words.h - what capture words do around a call that gives work to a stream, memory, and of streams and contexts, for all vendors that have
 * these; hooks/capture/words.h tells of their parts. Pointers of the program are looked at when the call has
 * succeeded, never before.
 *
 * A vendor says what is its own: THE_STREAMS, THE_TIMES, THE_MEMORY, LAST_SPECIAL (contexts.h); STREAM_OF(handle), what a call's event has of
 * its stream; MARK_CAPTURED(handle), what it has where a capture keeps the work.
 */
#pragma once
#include "agent/record/launch_cache.h"
#include "hooks/capture/memory.h"
#include "hooks/capture/runtime/work.h"
#include "hooks/capture/streams/captures.h"
#include "hooks/capture/streams/streams.h"
#include "hooks/capture/wrap.h"

/* released: bytes given back. ended: number of a stream that ends. left: context that a thread leaves, or that ends. own: what we time. */
#define WORK_LOCALS						\
	uint64_t released __attribute__((unused)) = 0;		\
	struct timed own __attribute__((unused));		\
	void *left __attribute__((unused)) = NULL;		\
	uint16_t ended __attribute__((unused)) = 0;

#define STREAM_NUMBER(handle, good) streams_number(&THE_STREAMS, handle, LAST_SPECIAL, good)

/*
 * Work for a stream, whose device time is asked for (pairs/timed.h: what it is); what else there is to capture. before: the stream, as
 * far as it is known before the call.
 */
#define TIMES_OF(what)		((what) & TIME_ALWAYS ? GATE_TIMES_SOME : GATE_TIMES)
#define TIMED(before, handle, what, ...)					\
	WANT(if (UNLIKELY(c.word & TIMES_OF(what))) timed_want(&THE_TIMES, &c, before, &own, what)) \
	KEEP(if (UNLIKELY(c.timed)) timed_called(&THE_TIMES, &c, &own))			\
	CAPTURE(STREAM_OF(handle), ##__VA_ARGS__; MARK_CAPTURED(handle))		\
	AFTER(if (UNLIKELY(c.timed)) timed_recorded(&THE_TIMES, &c, &own, ok))
#define WORK(handle, ...)	TIMED(handle, handle, 0, ##__VA_ARGS__)
#define COPYING(handle, ...)	TIMED(handle, handle, TIME_COPY | TIME_ALWAYS, ##__VA_ARGS__)

/* ---- work ---- */

/* TASK(stream): work without a name: functions of the host */
#define OPENS_TASK(...)		GATE_WINDOW
#define DO_TASK(handle)		WORK(handle)

/* COPY(stream, direction, bytes, address, source) */
#define OPENS_COPY(...)		GATE_WINDOW
#define DO_COPY(handle, direction, bytes, address, source)			\
	COPYING(handle, EV.key = ok ? (uintptr_t)(address) : 0,			\
		EV.arg = EVENT_ARG(ok ? (bytes) : 0, ok ? (direction) : DIR_NONE), c.second = ok ? (uintptr_t)(source) : 0)

/* COPIES(stream, count, sizes, addresses, sources): how many, the bytes of all, the addresses of the first */
#define OPENS_COPIES(...)	GATE_WINDOW
#define DO_COPIES(handle, count, sizes, addresses, sources)			\
	TIMED(handle, handle, TIME_ALWAYS, EV.key = ok && (count) ? (uintptr_t)(addresses)[0] : 0,	\
		EV.arg = EVENT_ARG(ok ? memory_sum(sizes, count) : 0, DIR_OTHER),	\
		c.second = ok && (count) ? (uintptr_t)(sources)[0] : 0, c.items = count)

/* MIGRATE(stream, bytes, address), MIGRATIONS(stream, count, sizes, addresses): managed memory comes nearer; no tool takes that for a copy */
#define OPENS_MIGRATE(...)	GATE_WINDOW
#define DO_MIGRATE(handle, bytes, address)					\
	TIMED(handle, handle, TIME_ALWAYS, EV.key = ok ? (uintptr_t)(address) : 0, EV.arg = EVENT_ARG(ok ? (bytes) : 0, ok ? DIR_OTHER : DIR_NONE))
#define OPENS_MIGRATIONS(...)	GATE_WINDOW
#define DO_MIGRATIONS(handle, count, sizes, addresses)				\
	TIMED(handle, handle, TIME_ALWAYS, EV.key = ok && (count) ? (uintptr_t)(addresses)[0] : 0,	\
		EV.arg = EVENT_ARG(ok ? memory_sum(sizes, count) : 0, DIR_OTHER), c.items = count)

/* FILL(stream, bytes, address) */
#define OPENS_FILL(...)		GATE_WINDOW
#define DO_FILL(handle, bytes, address)						\
	COPYING(handle, EV.key = (uintptr_t)(address), EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))

/* ---- memory ---- */

#define PLACE(address)		((const void *)(uintptr_t)(address)) /* some are numbers */

/* ALLOC(bytes, address), RELEASE(address) */
#define OPENS_ALLOC(...)	TRACK
#define DO_ALLOC(bytes, address)						\
	KEEP(memory_new(&THE_MEMORY, PLACE(address), bytes))			\
	CAPTURE(EV.key = ok ? (uintptr_t)(address) : 0, EV.arg = EVENT_ARG(ok ? (bytes) : 0, DIR_NONE))
#define OPENS_RELEASE(...)	TRACK
#define DO_RELEASE(address)							\
	CLOCK(released = memory_end(&THE_MEMORY, PLACE(address)))			\
	CAPTURE(EV.key = (uintptr_t)(address), EV.arg = EVENT_ARG(released, DIR_NONE)) \
	AFTER(if (!ok && released) memory_new(&THE_MEMORY, PLACE(address), released))

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
	KEEP(streams_new(&THE_STREAMS, handle))				\
	CAPTURE(EV.stream = ok ? STREAM_NUMBER(handle, true) : 0)
#define OPENS_STREAM_END(...)	(TRACK | GATE_HARVEST)
#define DO_STREAM_END(handle)							\
	CLOCK(harvest_stream_ends(&THE_TIMES, handle), ended = STREAM_NUMBER(handle, false), streams_end(&THE_STREAMS, handle), \
		captures_stream_ends(&THE_STREAMS, handle)) \
	CAPTURE(EV.stream = ended)						\
	AFTER(if (!ok) streams_remain(&THE_STREAMS, handle, ended))
#define OPENS_STREAM(...)	GATE_WINDOW
#define DO_STREAM(handle)	CAPTURE(STREAM_OF(handle))

/* SYNC(stream): when it returns, device times are there to be read. */
#define OPENS_SYNC(...)		(GATE_WINDOW | GATE_HARVEST)
#define DO_SYNC(handle)								\
	CAPTURE(STREAM_OF(handle))						\
	AFTER(if (ok) harvest_waited(&THE_TIMES, handle))

/* ---- contexts ---- */

/*
 * CONTEXT(), CONTEXT_TO(place): the thread goes there. CONTEXT_NEW(place), CONTEXT_POP(place): where the one stands that it goes to, or
 * comes from. CONTEXT_END(context), DEVICE_END(number): with all that it has
 */
#define OPENS_CONTEXT(...)	GATE_WINDOW
#define DO_CONTEXT()
#define OPENS_CONTEXT_TO(...)	TRACK
#define DO_CONTEXT_TO(place)	CLOCK(contexts_go_to(&THE_STREAMS, place))
#define OPENS_CONTEXT_NEW(...)	TRACK
#define DO_CONTEXT_NEW(place)	CLOCK(left = contexts_before(&THE_STREAMS)) KEEP(contexts_went(&THE_STREAMS, left, *(place)))
#define OPENS_CONTEXT_POP(...)	TRACK
#define DO_CONTEXT_POP(place)	KEEP(if (place) contexts_left(&THE_STREAMS, *(place)))
#define OPENS_CONTEXT_END(...)	(TRACK | GATE_HARVEST)
#define DO_CONTEXT_END(context)	CLOCK(harvest_context_ends(&THE_TIMES, context)) KEEP(work_context_ended(&THE_TIMES, context))
#define OPENS_DEVICE_END(...)	(TRACK | GATE_HARVEST)
#define DO_DEVICE_END(number)	CLOCK(left = work_device_ends(&THE_TIMES, number)) KEEP(work_context_ended(&THE_TIMES, left))

/* ---- captures ---- */

/*
 * GRAPH_BEGIN(stream), GRAPH_END(stream): between them the stream's work is kept; what was learnt of launches does
 * not say so. GOES_ON(rc, stream), the vendor's: this end was refused, and the capture is none the worse.
 */
#define OPENS_GRAPH_BEGIN(...)	TRACK
#define DO_GRAPH_BEGIN(handle)	KEEP(captures_begin(&THE_STREAMS, handle); launch_cache_void()) CAPTURE(STREAM_OF(handle))
#define OPENS_GRAPH_END(...)	TRACK
#define DO_GRAPH_END(handle)	CAPTURE(STREAM_OF(handle)) \
	AFTER(if (ok || !GOES_ON(rc, handle)) captures_end(&THE_STREAMS, handle))
