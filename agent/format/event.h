/* event.h - what one recorded call looks like in a ring, and the closed lists of its words. */
#pragma once
#include <stdint.h>

/*
 * GROUP(symbol, level, memory): kinds that are switched together, and share a bit of the gate. level: the lowest
 * RANKTRACE_LEVEL that records them; -1: each. memory: 1: they also want `memory` among the contents.
 */
#define KIND_GROUPS(GROUP)   \
	GROUP(ALWAYS, -1, 0) \
	GROUP(WORK, 0, 0)    \
	GROUP(MEMORY, 0, 1)  \
	GROUP(DETAIL, 1, 0)

enum kind_group {
#define GROUP(symbol, level, memory) GROUP_##symbol,
	KIND_GROUPS(GROUP)
#undef GROUP
		GROUPS
};
enum { /* what a group's symbol leads to, for readers of the list below */
#define GROUP(symbol, level, memory) GROUP_##symbol##_LEVEL = level, GROUP_##symbol##_MEMORY = memory,
       KIND_GROUPS(GROUP)
#undef GROUP
};

/*
 * KIND(symbol, word, group): the closed list of event kinds. The word is what dump and report print. There may be 28
 * (agent/record/record.h).
 */
#define EVENT_KINDS(KIND)                          \
	KIND(LAUNCH, "launch", WORK)               \
	KIND(COPY, "copy", WORK)                   \
	KIND(FILL, "fill", WORK)                   \
	KIND(MAP, "map", WORK)                     \
	KIND(ALLOC, "alloc", MEMORY)               \
	KIND(FREE, "free", MEMORY)                 \
	KIND(OPERATOR, "operator", WORK)           \
	KIND(SYNC, "sync", DETAIL)                 \
	KIND(STREAM, "stream", DETAIL)             \
	KIND(EVENT, "event", DETAIL)               \
	KIND(MODULE, "module", DETAIL)             \
	KIND(GRAPH, "graph", DETAIL)               \
	KIND(RESOLVE, "resolve", DETAIL)           \
	KIND(REFERENCE, "reference", DETAIL)       \
	KIND(COLLECTIVE, "collective", ALWAYS)     \
	KIND(COMMUNICATOR, "communicator", ALWAYS) \
	KIND(MARKER, "marker", ALWAYS)             \
	KIND(PREPARE, "prepare", DETAIL)           \
	KIND(POOL_ALLOC, "pool_alloc", MEMORY)     \
	KIND(POOL_FREE, "pool_free", MEMORY)

enum event_kind {
#define KIND(symbol, word, group) EV_##symbol,
	EVENT_KINDS(KIND)
#undef KIND
		EV_KINDS
};

/* DIRECTION(symbol, word): which way the bytes of a copy, map or migration go. */
#define COPY_DIRECTIONS(DIRECTION) \
	DIRECTION(NONE, "")        \
	DIRECTION(H2D, "h2d")      \
	DIRECTION(D2H, "d2h")      \
	DIRECTION(D2D, "d2d")      \
	DIRECTION(H2H, "h2h")      \
	DIRECTION(OTHER, "other")

enum copy_direction {
#define DIRECTION(symbol, word) DIR_##symbol,
	COPY_DIRECTIONS(DIRECTION)
#undef DIRECTION
		DIR_COUNT
};

/* DATA_TYPE(symbol, word, bits): elements of collectives and tensors, whatever number a vendor has for them. */
#define DATA_TYPES(TYPE)                    \
	TYPE(NONE, "", 0)                   \
	TYPE(INT8, "int8", 8)               \
	TYPE(INT16, "int16", 16)            \
	TYPE(INT32, "int32", 32)            \
	TYPE(INT64, "int64", 64)            \
	TYPE(INT128, "int128", 128)         \
	TYPE(UINT8, "uint8", 8)             \
	TYPE(UINT16, "uint16", 16)          \
	TYPE(UINT32, "uint32", 32)          \
	TYPE(UINT64, "uint64", 64)          \
	TYPE(FP16, "fp16", 16)              \
	TYPE(FP32, "fp32", 32)              \
	TYPE(FP64, "fp64", 64)              \
	TYPE(BF16, "bf16", 16)              \
	TYPE(FP8, "fp8", 8)                 \
	TYPE(OTHER, "other", 0)             \
	TYPE(BOOL, "bool", 8)               \
	TYPE(COMPLEX32, "complex32", 32)    \
	TYPE(COMPLEX64, "complex64", 64)    \
	TYPE(COMPLEX128, "complex128", 128) \
	TYPE(STRING, "string", 0)           \
	TYPE(INT4, "int4", 4)               \
	TYPE(UINT1, "uint1", 1)             \
	TYPE(FP6, "fp6", 6)                 \
	TYPE(FP4, "fp4", 4)

enum data_type {
#define TYPE(symbol, word, bits) DATA_##symbol,
	DATA_TYPES(TYPE)
#undef TYPE
		DATA_COUNT
};

/* REDUCTION(symbol, word): what a collective does with the elements. */
#define REDUCTIONS(REDUCTION)   \
	REDUCTION(NONE, "")     \
	REDUCTION(SUM, "sum")   \
	REDUCTION(PROD, "prod") \
	REDUCTION(MAX, "max")   \
	REDUCTION(MIN, "min")   \
	REDUCTION(OTHER, "other")

enum reduction {
#define REDUCTION(symbol, word) REDUCE_##symbol,
	REDUCTIONS(REDUCTION)
#undef REDUCTION
		REDUCE_COUNT
};

/* TENSOR_FORMAT(symbol, word): how a tensor's dimensions lie in memory; the words are CANN's. */
#define TENSOR_FORMATS(FORMAT)                       \
	FORMAT(NONE, "")                             \
	FORMAT(OTHER, "other")                       \
	FORMAT(ND, "ND")                             \
	FORMAT(NCHW, "NCHW")                         \
	FORMAT(NHWC, "NHWC")                         \
	FORMAT(HWCN, "HWCN")                         \
	FORMAT(NCDHW, "NCDHW")                       \
	FORMAT(NDHWC, "NDHWC")                       \
	FORMAT(NCL, "NCL")                           \
	FORMAT(NC, "NC")                             \
	FORMAT(NC1HWC0, "NC1HWC0")                   \
	FORMAT(NC1HWC0_C04, "NC1HWC0_C04")           \
	FORMAT(NDC1HWC0, "NDC1HWC0")                 \
	FORMAT(FRACTAL_Z, "FRACTAL_Z")               \
	FORMAT(FRACTAL_Z_3D, "FRACTAL_Z_3D")         \
	FORMAT(FRACTAL_NZ, "FRACTAL_NZ")             \
	FORMAT(FRACTAL_NZ_C0_16, "FRACTAL_NZ_C0_16") \
	FORMAT(FRACTAL_NZ_C0_32, "FRACTAL_NZ_C0_32") \
	FORMAT(FRACTAL_NZ_C0_2, "FRACTAL_NZ_C0_2")   \
	FORMAT(FRACTAL_NZ_C0_4, "FRACTAL_NZ_C0_4")   \
	FORMAT(FRACTAL_NZ_C0_8, "FRACTAL_NZ_C0_8")

enum tensor_format {
#define FORMAT(symbol, word) FORMAT_##symbol,
	TENSOR_FORMATS(FORMAT)
#undef FORMAT
		FORMAT_COUNT
};

/*
 * One slot of a ring: 32 bytes, so that a record never straddles a cache line.
 * Times are raw ticks of the session's clock (trace_file.h, enum clock_kind).
 */
struct event {
	uint64_t begin;	   /* ticks when the call was entered */
	uint32_t duration; /* ticks inside the call; UINT32_MAX: a CTRL_LONG slot follows */
	uint16_t hook;	   /* DEF_HOOK id, or enum control below */
	uint16_t stream;   /* DEF_STREAM id; of pool_alloc and pool_free: DEF_POOL id; 0: none */
	uint64_t key;	   /* launch, operator, prepare: DEF_LAUNCH id; collective: DEF_COLLECTIVE id;
			    * communicator: DEF_COMMUNICATOR id; marker: DEF_MARKER id; otherwise an address; 0: none */
	uint64_t arg;	   /* bytes in the low 56 bits, enum copy_direction above; operator and prepare: the
			    * address of the plan (executor) that joins the two; 0: not known */
};
_Static_assert(sizeof(struct event) == 32, "half a cache line");

#define EVENT_ARG(bytes, direction) ((uint64_t)(direction) << 56 | ((uint64_t)(bytes)&EVENT_BYTES))
#define EVENT_BYTES		    ((1ull << 56) - 1)
#define EVENT_DIRECTION(arg)	    ((unsigned int)((arg) >> 56))

/* Slots that are no events have a hook number from here on. They speak of the slot before them unless said otherwise. */
#define CTRL_FIRST		    0xff00
enum control {
	CTRL_STEP = CTRL_FIRST, /* from here on events belong to epoch `key` (DEF_EPOCH) */
	CTRL_THREAD,		/* from here on events were made by thread `key` */
	CTRL_LOST,		/* `key` calls found the ring full, entered from ticks `begin` to `arg` */
	CTRL_RESULT,		/* the call returned `key` (signed): written only if it failed */
	CTRL_LONG,		/* the duration is `key` */
	CTRL_ADDRESS,		/* the second address (source of a copy) is `key` */
	CTRL_NESTED,		/* the call was made from inside another recorded call of its kind */
	CTRL_FREED,		/* at ticks `begin` address `key` was given back too, by a call that gave
				 * back several and has one event for the first; speaks for itself.
				 * `stream`: DEF_POOL id, 0: the vendor's memory */
	CTRL_DEVICE,		/* device time of an EARLIER event, self-contained: begin and duration
				 * are device nanoseconds, stream, key as in the event, arg =
				 * DEVICE_REF; a saturated duration is followed by CTRL_LONG */
	CTRL_ITEMS = 0xff0c,	/* the call did `key` of its kind at once */
	CTRL_GIVEN = 0xff0d,	/* at ticks `begin` `arg` bytes at address `key` were handed out too, by a call
				 * that handed out several and has one event for the first; as with CTRL_FREED
				 * `stream` is the DEF_POOL id, and it speaks for itself */
	CTRL_CAPTURED = 0xff0e, /* its stream was being captured: a graph keeps what the call gave it, which did not run */
	CTRL_TOTALS = 0xff0f,	/* the allocator has handed out `key` bytes by now, and holds `arg` */
	CTRL_STACK = 0xff10,	/* who asked for the call: DEF_STACK `key` of Python's frames, 0: none is known;
				 * arg = STACK_ARG: the native one, and whose Python's is, or why there is none */
};

/*
 * STACK_OF(symbol, word, text): whose frames of Python a call is told with, if DEF_STACK is not 0; else why there are none: text, behind a
 * number of calls.
 */
#define STACKS_OF(STACK_OF)                                                                      \
	STACK_OF(CALLER, "caller", "by threads that were not asked")                             \
	STACK_OF(ASKED, "asked", "of a queue whose asking thread was not known")                 \
	STACK_OF(BACKWARD, "backward", "of a backward pass that no thread had entered")          \
	STACK_OF(NO_FRAMES, "no_frames", "by threads that run no Python")                        \
	STACK_OF(IN_QUEUE, "in_queue", "by the thread of a framework's queue")                   \
	STACK_OF(SEVERAL, "several", "of a backward pass while several threads were inside one") \
	STACK_OF(TOO_EARLY, "too_early", "before Python's frames could be read")                 \
	STACK_OF(NO_ROOM, "no_room", "for whose stacks there was no room")

enum stack_of {
#define STACK_OF(symbol, word, text) STACK_##symbol,
	STACKS_OF(STACK_OF)
#undef STACK_OF
		STACK_OF_COUNT
};

#define STACK_ARG(native, of)	     ((uint64_t)(of) << 56 | ((uint64_t)(native) & ((1ull << 56) - 1)))
#define STACK_NATIVE(arg)	     ((arg) & ((1ull << 56) - 1)) /* DEF_STACK id; 0: none */
#define STACK_OF_ARG(arg)	     ((unsigned int)((arg) >> 56))

/* Names an event by ring, entry point and slot position (low 32 bits). */
#define DEVICE_REF(ring, hook, slot) ((uint64_t)(ring) << 48 | (uint64_t)(hook) << 32 | (uint32_t)(slot))
#define DEVICE_REF_RING(ref)	     ((uint16_t)((ref) >> 48))
#define DEVICE_REF_HOOK(ref)	     ((uint16_t)((ref) >> 32))
#define DEVICE_REF_SLOT(ref)	     ((uint32_t)(ref))
