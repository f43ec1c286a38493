/* trace_file.h - what stands in a trace file: chunks, and definitions. docs/format.md tells the same in words, byte by byte. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_MAJOR  2
#define TRACE_MINOR  6
#define TRACE_OLDEST 2 /* major version; what came before was never released */
#define TRACE_SUFFIX ".rtrace"
#define TRACE_PART   ".part" /* appended to the name until the clean end */

/* ---- chunks of a trace file ---- */

#define CHUNK_MAGIC  0x43525452u /* "RTRC" */
#define CHUNK_ALIGN  64		 /* every chunk starts on such a line; the gap is zero */
#define CHUNK_MAX    (16u << 20) /* no payload is longer, stored or raw */

enum chunk_type {
	CHUNK_FILE = 1, /* text: who and what was recorded */
	CHUNK_DEFS,	/* definitions, in order of appearance */
	CHUNK_EVENTS,	/* encoded slots of one ring */
	CHUNK_STATUS,	/* text: counters of the process, later ones win */
	CHUNK_END,	/* text as in CHUNK_STATUS, and the file is whole */
	CHUNK_TIMES,	/* encoded CTRL_DEVICE slots of the file's events: copies, the next files of the process have them in their rings' place */
	CHUNK_TYPES,	/* these, and 0 */
};
enum chunk_flag {
	CHUNK_ZSTD = 1,	     /* payload is zstd frames, together of raw_length bytes */
	CHUNK_RECOVERED = 2, /* written by `ranktrace recover` from a dead process's session */
};

/* 128 bytes, little-endian, no padding. */
struct chunk_header {
	uint32_t magic;
	uint8_t major, minor;
	uint16_t type;	     /* enum chunk_type; unknown types are skipped */
	uint64_t file_id;    /* random, the same in all chunks of a session */
	uint64_t sequence;   /* 0, 1, 2 ... in the file */
	uint32_t ring;	     /* CHUNK_EVENTS: ring id, from 1 */
	uint32_t flags;	     /* enum chunk_flag */
	uint32_t length;     /* bytes of payload stored behind this header */
	uint32_t raw_length; /* bytes of payload after decompression */
	uint32_t events;     /* CHUNK_EVENTS: events (not control slots) inside */
	uint32_t tid;	     /* CHUNK_EVENTS: thread that the first slot belongs to */
	uint64_t ticks;	     /* clock triple, read while this chunk was written */
	uint64_t monotonic;  /* CLOCK_MONOTONIC, ns */
	uint64_t realtime;   /* CLOCK_REALTIME, ns since the Unix epoch */
	uint64_t entered;    /* CHUNK_EVENTS: calls entered in this ring since the file began */
	uint64_t dropped;    /* CHUNK_EVENTS: of those, dropped */
	uint64_t first_slot; /* CHUNK_EVENTS: position of the first slot inside */
	uint64_t next_slot;  /* CHUNK_EVENTS: position behind the last slot inside */
	uint32_t epoch;	     /* CHUNK_EVENTS: epoch that the first slot belongs to */
	uint32_t reserved[3];
	uint32_t payload_crc; /* CRC32C of the stored payload */
	uint32_t header_crc;  /* CRC32C of the 124 bytes before */
};
_Static_assert(sizeof(struct chunk_header) == 128, "chunk header");

/* Is the payload encoded slots? */
static inline bool chunk_has_slots(uint16_t type)
{
	return type == CHUNK_EVENTS || type == CHUNK_TIMES;
}

/* So that a small file is no large task for who reads it. Writers leave unpacked what readers would refuse. */
static inline bool chunk_is_packed_too_far(uint16_t type, uint32_t raw_length, uint64_t length)
{
	return !chunk_has_slots(type) && raw_length / 256 > length + 256;
}

/*
 * CHUNK_EVENTS payload: this, then the numbers, then the words; docs/format.md tells them bit by bit.
 * agent/format/predict.h holds what writer and reader must agree about.
 */
struct events_header {
	uint32_t slots;	      /* inside, control slots too; at most GUESS_SLOTS */
	uint32_t numbers;     /* bytes of numbers */
	uint32_t unit;	      /* gaps and durations are written as multiples of so many ticks */
	uint32_t device_unit; /* those of CTRL_DEVICE slots, of so many nanoseconds */
};

/* ---- definitions: the same bytes in tmpfs and in CHUNK_DEFS ---- */

enum definition_type {
	DEF_HOOK = 1,	  /* id: hook number; struct def_hook, name */
	DEF_STRING,	  /* id: string number; text */
	DEF_LAUNCH,	  /* id: launch number; struct def_launch, then its shared memory, if that is told */
	DEF_STREAM,	  /* id: stream number; struct def_stream */
	DEF_EPOCH,	  /* id: epoch; struct def_epoch. A later one of the same id wins */
	DEF_DEVICE,	  /* id: device number; name */
	DEF_DEVICE_CLOCK, /* id: device number; struct def_device_clock */
	DEF_LIBRARY,	  /* id: library number; path of a vendor library seen */
	DEF_IDENTITY,	  /* text as in CHUNK_FILE; a later key wins */
	DEF_COMMUNICATOR, /* id: communicator number; struct def_communicator, name */
	DEF_COLLECTIVE,	  /* id: collective number; struct def_collective */
	DEF_MARKER,	  /* id: marker number; struct def_marker */
	DEF_SHAPES,	  /* id: the DEF_LAUNCH of an operator; struct def_shapes, then as many struct def_tensor */
	DEF_LOST = 16,	  /* id: ring; struct def_lost: calls that no later slot of the ring tells of */
	DEF_POOL = 15,	  /* id: pool number, of 16 bits; struct def_pool */

	DEF_STAGE = 17, /* id: stage, counted in the process; struct def_stage, role. A later one of the same id wins */
	DEF_PLACE = 18, /* id: epoch; struct def_place */

	DEF_DEVICE_RANK = 19, /* id: device number; struct def_device_rank. A later one of the same id wins */

	DEF_GRAPH = 20, /* id: the DEF_LAUNCH of a graph's launch; struct def_graph, then as many struct def_graph_kernel */

	DEF_STACK = 21,	 /* id: stack number; struct def_stack, then its frames, innermost first */
	DEF_CODE = 22,	 /* id: code number; struct def_code, name, file, table of lines */
	DEF_MODULE = 23, /* id: module number; struct def_module, build id, path */

	/* id: device number; a word: how its times are had */
	DEF_TIME_SOURCE = 14,
};

/* A definition starts on 8 bytes; length counts this header, not the padding behind. */
struct definition {
	uint32_t length;
	uint16_t type; /* enum definition_type; unknown types are skipped */
	uint16_t reserved;
	uint64_t id;
};

struct def_hook {
	uint8_t kind;  /* enum event_kind */
	uint8_t flags; /* DEF_HOOK_; 0 in files that are older than these */
	uint8_t reserved[6];
}; /* then the entry point's name, without a NUL */

/* What else its row says of an entry point. */
enum {
	DEF_HOOK_SAID = 1,   /* all that follow are told */
	DEF_HOOK_HOST = 2,   /* memory that it hands out or takes back is the host's */
	DEF_HOOK_BEGINS = 4, /* it begins a range, */
	DEF_HOOK_ENDS = 8,   /* or ends one: by its number, */
	DEF_HOOK_NESTS = 16, /* or, without one, the last that the thread began so */
};

struct def_launch {
	uint64_t name;	     /* DEF_STRING id; 0: unknown */
	uint32_t dimensions; /* 1 to 3; 0: sizes unknown */
	uint32_t has_local;  /* 0: the runtime chose the local size */
	uint64_t global[3];  /* work-items (OpenCL) or threads (CUDA: grid x block) */
	uint64_t local[3];   /* work-items of a group; threads of a block */
};			     /* then, or not, uint64_t: bytes of dynamic shared memory that each block was given */

struct def_stream {
	uint64_t handle; /* the vendor's queue or stream */
	uint32_t device; /* DEF_DEVICE id */
	uint32_t out_of_order;
};

struct def_communicator {
	uint64_t handle; /* the vendor's */
	uint64_t group;	 /* the same number on all of its ranks, where that is known: hash of what they were given to meet; else 0 */
	int32_t rank;	 /* of this process in it; -1: unknown */
	uint32_t size;	 /* ranks; 0: unknown */
};			 /* then its name, without a NUL */

struct def_collective {
	uint64_t communicator; /* DEF_COMMUNICATOR id; 0: unknown */
	uint64_t count;	       /* elements, as the call was given; of a batch: items */
	uint32_t type;	       /* enum data_type */
	uint32_t reduction;    /* enum reduction */
	int64_t peer;	       /* root or other rank, in the communicator; -1: none */
};

struct def_marker {
	uint64_t message; /* DEF_STRING id; 0: none */
	uint64_t domain;  /* DEF_STRING id; 0: the default one */
};

/* Memory that a framework hands out of its own stock. */
struct def_pool {
	uint64_t domain; /* DEF_STRING id: the allocator's name; 0: has none */
	uint32_t device; /* the vendor's number */
	uint32_t stock;	 /* 0: what it hands out; 1: the stock itself, as the allocator tells of it */
};

#define SHAPES_TENSORS	  64 /* of one operator; more are counted only */
#define SHAPES_DIMENSIONS 8  /* of one tensor, likewise */
struct def_shapes {
	uint32_t tensors;  /* that follow */
	uint32_t left_out; /* that there were, too */
};

struct def_tensor {	    /* only as many dimensions are there as it has */
	uint8_t type;	    /* enum data_type */
	uint8_t format;	    /* enum tensor_format */
	uint8_t dimensions; /* that follow; at most SHAPES_DIMENSIONS */
	uint8_t left_out;   /* dimensions that it has, too */
	uint32_t reserved;
	int64_t dimension[SHAPES_DIMENSIONS];
};
#define DEF_TENSOR_BYTES(dimensions) (8 + 8 * (size_t)(dimensions))

#define GRAPH_NAMES		     128 /* of one graph; kernels of more are counted only */
struct def_graph {
	uint32_t nodes;	  /* with those of the graphs in it, which are a node each, too */
	uint32_t kernels; /* of them; nodes beyond GRAPH_NODES were not looked at */
	uint32_t names;	  /* that follow */
	uint32_t others;  /* kernels that none of them stands for */
};
#define GRAPH_NODES (1u << 18)

struct def_graph_kernel {
	uint64_t name; /* DEF_STRING id */
	uint64_t nodes;
};

#define STACK_FRAMES 64 /* of one stack; more are counted as truncated only */
enum stack_kind {
	STACK_PYTHON, /* frames are of DEF_CODE */
	STACK_NATIVE, /* of DEF_MODULE */
};
struct def_stack {
	uint32_t frames; /* that follow */
	uint8_t kind;	 /* enum stack_kind */
	uint8_t truncated;
	uint16_t reserved;
};

struct def_frame {
	uint64_t of; /* DEF_CODE or DEF_MODULE id; 0: unknown */
	uint64_t at; /* of code: the byte of its instruction; of a module: where the call returns to, from the module's base (the address itself if unknown) */
};

/* How a code object's table of lines is laid out. */
enum line_table {
	LINES_NONE,
	LINES_3_8,  /* co_lnotab: to CPython 3.9 */
	LINES_3_10, /* co_linetable of CPython 3.10 */
	LINES_3_11, /* of 3.11 and later */
};

/* A function of Python. */
struct def_code {
	uint32_t first_line;
	uint32_t lines; /* bytes of its table that follow name and file */
	uint16_t name;	/* bytes, UTF-8: qualified from CPython 3.11 on */
	uint16_t file;	/* bytes, UTF-8 */
	uint8_t table;	/* enum line_table */
	uint8_t cut;	/* the table is longer than that */
	uint16_t reserved;
};

struct def_module {
	uint32_t build_id; /* bytes; 0: it has none */
	uint32_t reserved;
};

#define STEP_NULL	  INT64_MIN
#define EPOCH_PROVISIONAL 1 /* the source that tells steps had still to learn where they end */
struct def_epoch {
	int64_t step;	/* STEP_NULL: before the first boundary, or no source fired */
	uint64_t begin; /* ticks */
	uint64_t end;	/* ticks; 0: not over yet */
	int64_t offset; /* step less the program's own number of it; left out where this and what follows is 0 */
	uint64_t flags; /* EPOCH_; left out where it is 0 */
};

/* What a process did in one of its roles, at one go. */
struct def_stage {
	int64_t step;	     /* in which it began; STEP_NULL: none */
	uint64_t begin;	     /* ticks */
	uint64_t end;	     /* ticks; 0: not over yet */
	uint32_t occurrence; /* of the role in the step, from 0 */
	uint32_t reserved;
}; /* then the role's name, without a NUL */

/* Where an epoch lies; one without is in nothing. */
struct def_place {
	uint64_t stage;	     /* DEF_STAGE id; 0: none */
	int64_t mini, micro; /* numbers of the mini- and micro-batch in it, from 0; -1: none */
};

/* Of a process that drives several devices: each is a rank of its own. */
struct def_device_rank {
	int64_t rank;  /* -1: it turned out to be none */
	uint64_t size; /* ranks of the communicator that said so */
};

struct def_lost {
	uint64_t calls;	       /* that found no room */
	uint64_t since, until; /* ticks when the first and the last of them were entered */
	uint64_t tid;	       /* of the thread */
};

struct def_device_clock { /* device_ns was read between ticks - width and ticks + width */
	uint64_t device_ns;
	uint64_t ticks;
	uint64_t width;
};
