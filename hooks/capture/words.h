/*
 * words.h - the capture words: which there are, what they consist of, and those of no vendor. The others
 * stand in <vendor>_words.h.
 *
 * A capture word is three macros: KIND_WORD, the kind of event; OPENS_WORD, the bits of the gate that lead
 * calls into the slow path; and DO_WORD, what is done around a call, in as many of these parts as it needs:
 *   CLOCK     before the call is entered: step sources and reference counts, may change hook and kind
 *   WANT      the call is recorded: ask the vendor for an event
 *   KEEP      the call succeeded: keep the books, recorded or not
 *   CAPTURE   fill in the event
 *   AFTER     the event is in the ring, or the call was not recorded
 * They may use rc (the result), ok (the call succeeded), c (the call), hook and kind, caller, the vendor's
 * LOCALS, and what the row gives them of its parameters.
 */
#pragma once

/* ---- which there are ---- */

#define KIND_LAUNCH(...)	EV_LAUNCH
#define KIND_TASK(...)		EV_LAUNCH
#define KIND_NATIVE(...)	EV_LAUNCH
#define KIND_COPY(...)		EV_COPY
#define KIND_FILL(...)		EV_FILL
#define KIND_MAP(...)		EV_MAP
#define KIND_ALLOC(...)		EV_ALLOC
#define KIND_ALLOC_SVM(...)	EV_ALLOC
#define KIND_RETAIN_MEM(...)	EV_REFERENCE
#define KIND_RELEASE_MEM(...)	EV_FREE
#define KIND_FREE_SVM(...)	EV_FREE
#define KIND_FREE_SVMS(...)	EV_FREE
#define KIND_STREAM(...)	EV_STREAM
#define KIND_RETAIN_STREAM(...)	EV_STREAM
#define KIND_RELEASE_STREAM(...) EV_STREAM
#define KIND_KERNEL(...)	EV_MODULE
#define KIND_KERNELS(...)	EV_MODULE
#define KIND_RETAIN_KERNEL(...)	EV_MODULE
#define KIND_RELEASE_KERNEL(...) EV_MODULE
#define KIND_MODULE(...)	EV_MODULE
#define KIND_SYNC(...)		EV_SYNC
#define KIND_FLUSH(...)		EV_SYNC
#define KIND_EVENT(...)		EV_EVENT
#define KIND_TIMES(...)		EV_EVENT
#define KIND_GRAPH(...)		EV_GRAPH
#define KIND_GRAPH_NEW(...)	EV_GRAPH
#define KIND_GRAPH_BEGIN(...)	EV_GRAPH
#define KIND_GRAPH_END(...)	EV_GRAPH
#define KIND_GRAPH_LAUNCH(...)	EV_LAUNCH
#define KIND_RETAIN_GRAPH(...)	EV_GRAPH
#define KIND_RELEASE_GRAPH(...)	EV_GRAPH
#define KIND_RESOLVE(...)	EV_RESOLVE
#define KIND_LAUNCH3(...)	EV_LAUNCH
#define KIND_NAMED_LAUNCH(...)	EV_LAUNCH
#define KIND_NAMED(...)		EV_OPERATOR
#define KIND_SECOND(...)	EV_OPERATOR
#define KIND_COPIES(...)	EV_COPY
#define KIND_MIGRATE(...)	EV_COPY
#define KIND_MIGRATIONS(...)	EV_COPY
#define KIND_RELEASE(...)	EV_FREE
#define KIND_SEGMENT(...)	EV_REFERENCE
#define KIND_MEMORY(...)	EV_REFERENCE
#define KIND_STREAM_NEW(...)	EV_STREAM
#define KIND_STREAM_END(...)	EV_STREAM
#define KIND_FUNCTION(...)	EV_MODULE
#define KIND_CONTEXT(...)	EV_MODULE
#define KIND_CONTEXT_TO(...)	EV_MODULE
#define KIND_CONTEXT_END(...)	EV_MODULE
#define KIND_DEVICE_END(...)	EV_MODULE
#define KIND_OTHER_BEGINS(...)	EV_MODULE
#define KIND_OTHER_ENDS(...)	EV_MODULE
#define KIND_COLLECTIVE(...)	EV_COLLECTIVE
#define KIND_BATCH(...)		EV_COLLECTIVE
#define KIND_LCCL(...)		EV_COLLECTIVE
#define KIND_ONE_SIDED(...)	EV_COLLECTIVE
#define KIND_LCCL_NEW(...)	EV_COMMUNICATOR
#define KIND_LCCL_ALL(...)	EV_COMMUNICATOR
#define KIND_COMM_NEW(...)	EV_COMMUNICATOR
#define KIND_COMM_ALL(...)	EV_COMMUNICATOR
#define KIND_COMM_END(...)	EV_COMMUNICATOR
#define KIND_COMMUNICATOR(...)	EV_COMMUNICATOR
#define KIND_MARK(...)		EV_MARKER
#define KIND_RANGE_START(...)	EV_MARKER
#define KIND_RANGE_END(...)	EV_MARKER
#define KIND_RANGE_NUMBER(...)	EV_MARKER
#define KIND_STAMP(...)		EV_MARKER
#define KIND_STAMP_MESSAGE(...)	EV_EVENT
#define KIND_STAMP_END(...)	EV_EVENT
#define KIND_DOMAIN_NEW(...)	EV_MARKER
#define KIND_DOMAIN_END(...)	EV_MARKER
#define KIND_HEAP_NEW(...)	EV_POOL_ALLOC
#define KIND_HEAP_END(...)	EV_POOL_FREE
#define KIND_REGIONS_NEW(...)	EV_POOL_ALLOC
#define KIND_REGIONS_END(...)	EV_POOL_FREE
#define KIND_ASKED(...)		EV_KINDS /* no event */
#define NO_EVENT_OF_ITS_OWN	(EV_KINDS + 1) /* what it tells goes with an operator's */
#define KIND_TENSOR(...)	NO_EVENT_OF_ITS_OWN
#define KIND_TENSOR_END(...)	NO_EVENT_OF_ITS_OWN
#define KIND_TENSORS(...)	NO_EVENT_OF_ITS_OWN
#define KIND_TENSORS_END(...)	NO_EVENT_OF_ITS_OWN
#define KIND_REPEATABLE(...)	NO_EVENT_OF_ITS_OWN
#define KIND_PLAN_KEY(...)	NO_EVENT_OF_ITS_OWN
#define KIND_PLAN_FOUND(...)	NO_EVENT_OF_ITS_OWN

/* ---- what they consist of ---- */

/* A word stands in a function once for each part, and the compiler keeps that part of it. */
enum part { AT_CLOCK, AT_WANT, AT_KEEP, AT_CAPTURE, AT_AFTER };
#define PART(it, capture) { const enum part part __attribute__((unused)) = AT_##it; DO_##capture }
#define CLOCK(...)	if (part == AT_CLOCK) { __VA_ARGS__; }
#define WANT(...)	if (part == AT_WANT) { __VA_ARGS__; }
#define KEEP(...)	if (part == AT_KEEP) { __VA_ARGS__; }
#define CAPTURE(...)	if (part == AT_CAPTURE) { __VA_ARGS__; }
#define AFTER(...)	if (part == AT_AFTER) { __VA_ARGS__; }

#define EV		c.event
#define TRACK		(GATE_TRACK | GATE_WINDOW)
#define ALWAYS		(~ROW_SHORT)

/*
 * A row that a program calls all the time may have a short way besides: a function short_<symbol>,
 * taken if the thread is in no other call and the gate's word is the one under which it wrote its last
 * slot (producer.ready). On x86-64 SHORT_WAY, the vendor's too, goes there or does what else can be
 * done in a few lines, and leaves the rest to the slow path.
 */
#define ROW_SHORT BIT(24) /* in OPENS; not a bit of the gate */

/* ---- those of no vendor ---- */

/* MODULE(), GRAPH(), EVENT(): the call itself is all there is to tell */
#define OPENS_MODULE(...)	GATE_WINDOW
#define DO_MODULE()
#define OPENS_GRAPH(...)	GATE_WINDOW
#define DO_GRAPH()
#define OPENS_EVENT(...)	GATE_WINDOW
#define DO_EVENT()

/* RESOLVE(name): hands out our function instead of the one that was found, if the name has a row */
#define OPENS_RESOLVE(...)	ALWAYS
#define DO_RESOLVE(name)	KEEP(rc = hook_resolved(name, rc, caller))
