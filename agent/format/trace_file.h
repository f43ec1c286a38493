/*
 * trace_file.h - everything that leaves the process: chunks of a trace file, definitions, and the
 * session in tmpfs that survives kill -9. docs/format.md tells the same in words, byte by byte.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/limits.h"

#define TRACE_MAJOR  2
#define TRACE_MINOR  3
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

/* So that a small file is no large task for who reads it. Writers leave unpacked what readers would refuse. */
static inline bool chunk_is_packed_too_far(uint16_t type, uint32_t raw_length, uint64_t length)
{
	return type != CHUNK_EVENTS && raw_length / 256 > length + 256;
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
	DEF_LAUNCH,	  /* id: launch number; struct def_launch */
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
};

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

#define STEP_NULL		     INT64_MIN
#define EPOCH_PROVISIONAL	     1 /* the source that tells steps had still to learn where they end */
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

/* ---- the session in tmpfs: SESSION_ROOT-<uid>/<pid>-<start>-<random>/{status.0,definitions.N,ring.N} ---- */

#define SESSION_ROOT	  "/dev/shm/ranktrace"
#define SESSION_ROOT_SIZE 128	      /* with the user and a NUL */
#define SESSION_MAGIC	  0x36535452u /* "RTS6": its last letter counts layouts of the record, and of what lies beside it */
#define SESSION_FAMILY	  0x00ffffffu /* of the magic: what records of all releases have */
#define DEFINITIONS_MAGIC 0x41525452u /* "RTRA" */
#define RING_MAGIC	  0x52525452u /* "RTRR" */
#define SESSION_LAYOUT	  14728	      /* bytes of the record before unrecorded[] */
#define SESSION_PAGE	  4096

enum clock_kind { CLOCK_TSC = 1,
		  CLOCK_CNTVCT,
		  CLOCK_NANOSECONDS };

/*
 * Why a process recorded nothing, or stopped. SESSION_CAUSES(CAUSE): symbol, word, and what it means for calls that wait: PASSING:
 * they are wanted, and later ones may be recorded; STEPS: it tells of steps alone, and gives way to what loses calls; FINAL: they
 * are thrown away, and later ones are.
 */
#define SESSION_CAUSES(CAUSE)                           \
	CAUSE(NONE, "none", PASSING)                    \
	CAUSE(DISABLED, "disabled", FINAL)              \
	CAUSE(NO_STEPS, "no-steps-selected", FINAL)     \
	CAUSE(NOT_SELECTED, "rank-not-selected", FINAL) \
	CAUSE(NO_RANK, "rank-unknown", PASSING)         \
	CAUSE(NOT_REACHED, "step-not-reached", STEPS)   \
	CAUSE(NO_SOURCE, "no-step-source-fired", STEPS) \
	CAUSE(BAD_CONFIG, "bad-configuration", FINAL)   \
	CAUSE(SAVE_PATH, "save-path", FINAL)            \
	CAUSE(DISK_FULL, "disk-full", FINAL)            \
	CAUSE(MAX_SIZE, "max-size-reached", FINAL)      \
	CAUSE(NO_MEMORY, "no-ring-memory", PASSING)     \
	CAUSE(NO_THREAD, "no-flush-thread", FINAL)      \
	CAUSE(SECOND_COPY, "second-copy", FINAL)        \
	CAUSE(NO_WIPE, "no-wipe-on-fork", FINAL)        \
	CAUSE(NO_PYTHON, "no-python", STEPS)            \
	CAUSE(PYTHON_AWAY, "python-away", STEPS)        \
	CAUSE(NO_TORCH, "torch-not-imported", STEPS)    \
	CAUSE(OLD_TORCH, "torch-too-old", STEPS)        \
	CAUSE(NO_OPTIMIZER, "no-optimizer-step", STEPS) \
	CAUSE(PYTHON_FAILED, "python-failed", STEPS)    \
	CAUSE(NO_DESCRIPTOR, "no-descriptor", FINAL)    \
	CAUSE(NOT_ENTERED, "not-entered", STEPS)
enum session_cause {
#define CAUSE(symbol, word, sort) CAUSE_##symbol,
	SESSION_CAUSES(CAUSE)
#undef CAUSE
		CAUSE_COUNT
};

static inline const char *session_cause_word(uint32_t cause)
{
	static const char *const words[] = {
#define CAUSE(symbol, word, sort) word,
		SESSION_CAUSES(CAUSE)
#undef CAUSE
	};

	return cause < CAUSE_COUNT ? words[cause] : "unknown";
}

enum session_cause_sort { CAUSE_IS_PASSING,
			  CAUSE_IS_STEPS,
			  CAUSE_IS_FINAL };

/* Of a number that no agent writes: final. */
static inline enum session_cause_sort session_cause_sort(uint32_t cause)
{
	static const uint8_t sorts[] = {
#define CAUSE(symbol, word, sort) CAUSE_IS_##sort,
		SESSION_CAUSES(CAUSE)
#undef CAUSE
	};

	return cause < CAUSE_COUNT ? (enum session_cause_sort)sorts[cause] : CAUSE_IS_FINAL;
}

static inline bool session_cause_is_of_steps(uint32_t cause)
{
	return session_cause_sort(cause) == CAUSE_IS_STEPS;
}

static inline bool session_cause_is_final(uint32_t cause)
{
	return session_cause_sort(cause) == CAUSE_IS_FINAL;
}

enum session_state {
	SESSION_DORMANT = 1, /* between windows */
	SESSION_RECORDING,   /* a window is open */
	SESSION_ENDED,	     /* the process said goodbye; rings are empty */
	SESSION_EXECUTED,    /* the process replaced itself by exec */
};

/*
 * Counters when the current file began. The next file's are put beside them before the totals are
 * written, and are in force behind that: killed in between, no call is told twice or not at all.
 */
struct file_base {
	uint64_t entered, dropped;
};

/* File `status.0`. Host byte order: it never leaves the machine. */
struct session_status {
	uint32_t magic;
	uint8_t major, minor;
	uint16_t hooks;		/* entries used in unrecorded[] */
	uint32_t pid;		/* in its own pid namespace */
	uint32_t clock;		/* enum clock_kind */
	uint64_t start_time;	/* field 22 of /proc/PID/stat */
	uint64_t pid_namespace; /* inode of /proc/self/ns/pid */
	uint64_t file_id;
	_Atomic uint32_t state;	       /* enum session_state */
	_Atomic uint32_t cause;	       /* enum session_cause */
	_Atomic int64_t rank;	       /* -1: unknown */
	_Atomic int64_t last_step;     /* STEP_NULL: no boundary yet */
	_Atomic uint64_t boundaries;   /* step boundaries seen */
	_Atomic uint64_t windows;      /* windows opened */
	_Atomic uint64_t kept;	       /* events written to files */
	_Atomic uint64_t entered;      /* calls entered, as far as the rings were read */
	_Atomic uint64_t dropped;      /* calls dropped, likewise */
	_Atomic uint64_t no_ring;      /* calls dropped because no ring could be had; part of both */
	_Atomic uint64_t discarded;    /* events read and thrown away (a limit, a full disk); part of dropped */
	struct file_base base[2];      /* of no_ring, and of no_ring + discarded */
	_Atomic uint64_t ended;	       /* files whose totals are told; its last bit chooses the base in force */
	_Atomic uint64_t unsafe_rings; /* rings that end with the process, counters and all */
	_Atomic uint64_t untimed;      /* calls whose device time was asked for and not had */
	_Atomic uint64_t bytes;	       /* written to files */
	_Atomic uint64_t files;	       /* trace files opened */
	_Atomic uint32_t error;	       /* errno behind cause */
	_Atomic uint32_t epoch;	       /* current epoch */
	char host[64], job[64], launch[64];
	char rank_source[32], step_source[128];
	char steps[1024], ranks[1024], schedule[192]; /* what was asked for, as text */
	char save_path[1024];
	char file[1024];			      /* the .part being written; empty: none */
	char final[1024];			      /* the name it will get (also when no file is open yet) */
	char libraries[4096];			      /* vendor libraries seen, newline between */
	char facts[4096];			      /* text of CHUNK_FILE */
	char note[64];				      /* what the hooks noticed of their surroundings: words, blanks between */
	char unsaid[512];			      /* lines that standard error did not take, "; " between */
	_Atomic uint64_t beyond[SESSION_LIMIT_COUNT]; /* by enum session_limit: found no room */
	_Atomic uint64_t unrecorded[HOOKS_MOST];      /* per hook: calls in a window that the level leaves out */
};
/* Only the release that wrote a session reads it: with another layout goes another SESSION_MAGIC. */
_Static_assert(offsetof(struct session_status, unrecorded) == SESSION_LAYOUT, "does SESSION_MAGIC have a new letter?");

#define SESSION_BYTES(hooks) (offsetof(struct session_status, unrecorded) + (hooks) * sizeof(uint64_t)) /* that are there */

/* File `definitions.N`: this header, then definitions. The file is used again when they are in a trace file. */
struct definitions_header {
	uint32_t magic;
	uint32_t index;	       /* its place in the order of all */
	uint64_t size;	       /* bytes of the file */
	_Atomic uint64_t used; /* bytes of whole definitions behind this header */
	uint8_t reserved[40];
};
_Static_assert(sizeof(struct definitions_header) == 64, "definitions header");

#define CALL_LEFT_OUT (1ull << 32) /* the level leaves this call out: it may hang all the same */

enum ring_state { RING_FREE,
		  RING_OWNED,
		  RING_ORPHAN,
		  RING_RETURNED, /* empty, and without memory for its slots */
};

enum backing { BACKING_TMPFS,
	       BACKING_MEMFD, /* from here on it ends with the process */
	       BACKING_ANONYMOUS };

#define RING_SLOTS_MAX (1u << 24)

/* File `ring.N`: one page of header, then `slots` events. Positions count up for ever; slot = position % slots. */
struct ring_header {
	/* the producer's line */
	_Alignas(64) _Atomic uint64_t head; /* release-stored: slots below it are whole */
	_Atomic uint64_t entered;	    /* calls entered */
	_Atomic uint64_t dropped;	    /* calls that found the ring full, or a record being written */
	_Atomic uint64_t call_begin;	    /* ticks; the outermost call of a window that this thread is in */
	_Atomic uint64_t call_hook;	    /* its hook + 1, and CALL_LEFT_OUT; 0: not in a call */
	_Atomic uint64_t lost;		    /* calls in the run, not yet told of, that found no room */
	_Atomic uint64_t lost_since;	    /* ticks: when the first of them was entered */
	uint64_t hurried;		    /* tail + 1 when the flush thread was last told to hurry */
	/* the consumer's line */
	_Alignas(64) _Atomic uint64_t tail; /* slots below it are in a file */
	uint64_t tail_epoch;		    /* epoch and thread in force at tail ... */
	uint64_t tail_tid;
	uint64_t next_tail;  /* ... or, where this is tail and not 0: */
	uint64_t next_epoch; /* three words cannot be changed at once, and */
	uint64_t next_tid;   /* the process may be killed in between */
	/* written at hand-over only */
	_Alignas(64) uint32_t magic;
	uint32_t id;		/* from 1 */
	uint32_t slots;		/* a power of two, at most RING_SLOTS_MAX */
	_Atomic uint32_t state; /* enum ring_state */
	_Atomic uint32_t tid;	/* owner now */
	struct file_base base[2];
	_Atomic uint64_t lost_until; /* ticks: when the last of the lost calls was entered; the producer's */
	_Alignas(64) uint64_t order; /* of all times that a thread took a ring in this session, this was so manieth: of slots not in
				      * a file those of a lower order come first */
	_Atomic uint64_t before_end; /* where the owner left the ring that it had before, which was full, */
	_Atomic uint32_t before;     /* by its id; 0: this is its first */
	uint32_t place;		     /* the owner's number in tables that each thread has one of: goes with it from ring to ring */
	uint32_t backing;	     /* enum backing: where the slots are; this header may be the only page of its file */
	_Atomic uint32_t owner;	     /* the thread, from when the ring is wholly its; 0: nobody's, or changing hands */
	_Atomic uint32_t full;	     /* its owner went on in another; nobody waits for more before this is written */
};
