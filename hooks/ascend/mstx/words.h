/* words.h - what the capture words of mstx.def and aclprof.def do around a call; hooks/capture/words.h tells of their parts. */
#pragma once
#include "hooks/ascend/abi/abi.h"
#include "hooks/ascend/mstx/kinds.h"
#include "hooks/ascend/mstx/memory.h"
#include "hooks/ascend/mstx/mstx.h"
#include "hooks/ascend/mstx/torch_npu_gate.h"
#include "hooks/ascend/time/time.h"
#include "hooks/capture/wrap.h"

#define STATUS aclError
/*
 * text: of a message that has no end of its own. told: the first piece of memory that the call tells of. pair: of events around a range.
 * heard: by which step sources and stages; stage: the one that it begins.
 */
#define LOCALS							\
	struct marker_text text __attribute__((unused));	\
	struct pool_piece told __attribute__((unused)) = { 0, 0, 0 };	\
	uint32_t pair __attribute__((unused)) = 0, heard __attribute__((unused)) = 0; \
	uint64_t stage __attribute__((unused)) = 0;

#define SHORT_WAY(ready, slow, go) ""

#define CLOCKED	  (GATE_WINDOW | GATE_MARKS)
#define LISTENING UNLIKELY(source_marker_listens())

/* Does anybody listen to this? The library hands what it is told on to who is injected, us: the same once more. That is looked up last, it takes long. */
#define HEARD(within, said) \
	(LISTENING && (heard = mark_clock_heard(&mstx_markers, within, said)) && (!hook_called_by_vendor(hook, caller) || (heard = 0)))

/* MARK(domain or NULL, message, stream); ANSWERED_MARK(message, stream): the message may be none, the vendor says so */
#define OPENS_MARK(...) CLOCKED
#define DO_MARK(within, said, handle)                                                                      \
	CLOCK(if (HEARD(within, said)) source_marker_begins(heard, said, handle, caller))                  \
	CAPTURE(EV.stream = handle ? ascend_stream(handle, true) : 0, EV.key = markers_id(&mstx_markers, within, said))  \
	AFTER(if (UNLIKELY(heard)) source_marker_ends(heard, handle, caller))
#define OPENS_ANSWERED_MARK(...) CLOCKED
#define DO_ANSWERED_MARK(said, handle)                                                                                 \
	CAPTURE(EV.stream = handle ? ascend_stream(handle, true) : 0, EV.key = markers_id(&mstx_markers, NULL, ok ? (said) : NULL))  \
	AFTER(if (ok && HEARD(NULL, said)) {                                               \
		source_marker_begins(heard, said, handle, caller);                                                     \
		source_marker_ends(heard, handle, caller);                                                             \
	})

/* RANGE_START(domain or NULL, message, stream), RANGE_END(number) */
#define OPENS_RANGE_START(...) CLOCKED
#define DO_RANGE_START(within, said, handle)                                                           \
	CLOCK(if (HEARD(within, said)) {                                                               \
		source_marker_begins(heard, said, handle, caller);                                     \
		stage = source_marker_enters(heard, said, handle, caller);                             \
	})                                                                                             \
	WANT(spans_want(&ascend_times, &c, handle, &pair))                                                             \
	CAPTURE(EV.stream = handle ? ascend_stream(handle, true) : 0, EV.key = markers_id(&mstx_markers, within, said), \
		EV.arg = (uint64_t)rc & EVENT_BYTES)                                                   \
	AFTER(if (UNLIKELY(heard)) mark_clock_range(&mstx_markers, heard, stage, handle, rc, caller))                                    \
	AFTER(if (UNLIKELY(pair)) spans_keep(&ascend_times, &c, pair, handle, rc))
#define OPENS_RANGE_END(...)	CLOCKED
#define DO_RANGE_END(number)                    \
	CAPTURE(EV.arg = (number)&EVENT_BYTES)  \
	AFTER(if (c.recording) spans_want_end(&ascend_times, number)) \
	AFTER(if (LISTENING && mark_clock_hears_end(&mstx_markers, number) && !hook_called_by_vendor(hook, caller)) mark_clock_range_ends(&mstx_markers, number, caller))

/* RANGE_NUMBER(number): a number from outside, for what is called until it is taken back */
#define OPENS_RANGE_NUMBER(...)	GATE_WINDOW
#define DO_RANGE_NUMBER(number)	CAPTURE(EV.arg = (number)&EVENT_BYTES)

/* PUSH(), POP(): a range that nests in the thread's others, without a message */
#define OPENS_PUSH(...) GATE_WINDOW
#define DO_PUSH()	CAPTURE(EV.key = markers_id(&mstx_markers, NULL, NULL))
#define OPENS_POP(...)	GATE_WINDOW
#define DO_POP()	DO_PUSH()

/*
 * STAMP(stamp): its message. STAMP_PUSH(stamp): of a range that nests in the thread's others; STAMP_START(stamp, number),
 * STAMP_STOP(number): of one that has a number. STAMP_MESSAGE(stamp, message), STAMP_END(stamp)
 */
#define OPENS_STAMP(...) GATE_WINDOW
#define DO_STAMP(stamp)	 DO_STAMP_START(stamp, 0)
#define OPENS_STAMP_PUSH OPENS_STAMP
#define DO_STAMP_PUSH	 DO_STAMP
#define OPENS_STAMP_START(...) GATE_WINDOW
#define DO_STAMP_START(stamp, number) \
	CAPTURE(EV.key = ok ? mstx_stamp(stamp) : 0, EV.arg = ok ? (number)&EVENT_BYTES : 0)
#define OPENS_STAMP_STOP(...) GATE_WINDOW
#define DO_STAMP_STOP	 DO_RANGE_NUMBER
#define OPENS_STAMP_MESSAGE(...)	TRACK
#define DO_STAMP_MESSAGE(stamp, said)	KEEP(mstx_set_stamp(stamp, said))
#define OPENS_STAMP_END(...)		TRACK
#define DO_STAMP_END(ending)		CLOCK(mstx_end_stamp(ending))

/* DOMAIN_NEW(domain, name), DOMAIN_END(domain) */
#define OPENS_DOMAIN_NEW(...)	      TRACK
#define DO_DOMAIN_NEW(made, name_of_it) KEEP(mstx_new_domain(made, name_of_it))
#define OPENS_DOMAIN_END(...)	      TRACK
#define DO_DOMAIN_END(ending)	      CLOCK(mstx_end_domain(ending))

/*
 * HEAP_NEW(domain, heap, description), HEAP_END(domain, heap): a framework's allocator tells of its stock;
 * REGIONS_NEW(domain, description), REGIONS_END(domain, description): of what it hands out of it, one piece or more.
 * A call inside of another one is the same, told once more.
 */
#define OUTERMOST \
	(c.recording ? !c.nested : !(record_inside(producer.inside) & record_inside_kind(kind)) && producer.left_out != kind + 1)
#define CAPTURE_PIECE \
	CAPTURE(EV.stream = told.pool, EV.key = told.address, EV.arg = EVENT_ARG(told.bytes, DIR_NONE))

#define OPENS_HEAP_NEW(...) TRACK
#define DO_HEAP_NEW(within, made, description)                              \
	KEEP(mstx_new_heap(&told, within, made, description, OUTERMOST))    \
	CAPTURE_PIECE
#define OPENS_HEAP_END(...) TRACK
#define DO_HEAP_END(within, ending)                                         \
	KEEP(mstx_end_heap(&told, within, ending, OUTERMOST))               \
	CAPTURE_PIECE
#define OPENS_REGIONS_NEW(...) TRACK
#define DO_REGIONS_NEW(within, description)                                 \
	KEEP(mstx_new_region(&told, within, description, OUTERMOST))        \
	CAPTURE_PIECE                                                       \
	AFTER(mstx_new_others(&c, within, description, OUTERMOST))
#define OPENS_REGIONS_END(...) TRACK
#define DO_REGIONS_END(within, description)                                 \
	KEEP(mstx_end_region(&told, within, description, OUTERMOST))        \
	CAPTURE_PIECE                                                       \
	AFTER(mstx_end_others(&c, within, description, OUTERMOST))
