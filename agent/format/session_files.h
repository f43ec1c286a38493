/*
 * session_files.h - the session in tmpfs, which survives kill -9: SESSION_ROOT-<uid>/<pid>-<start>-<random>/{status.0,definitions.N,
 * ring.N}. Beside the trace files (trace_file.h) it is all that leaves the process.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/limits.h"

#define SESSION_ROOT	  "/dev/shm/ranktrace"
#define SESSION_ROOT_SIZE 128	      /* with the user and a NUL */
#define SESSION_MAGIC	  0x4e535452u /* "RTSN": its last letter counts layouts of the record, and of what lies beside it */
#define SESSION_FAMILY	  0x00ffffffu /* of the magic: what records of all releases have */
#define DEFINITIONS_MAGIC 0x41525452u /* "RTRA" */
#define RING_MAGIC	  0x52525452u /* "RTRR" */
#define SESSION_LAYOUT	  34920	      /* bytes of the record before unrecorded[] */
#define SESSION_PAGE	  4096

enum clock_kind { CLOCK_TSC = 1,
		  CLOCK_CNTVCT,
		  CLOCK_NANOSECONDS };

enum session_state {
	SESSION_DORMANT = 1, /* between windows */
	SESSION_RECORDING,   /* a window is open */
	SESSION_ENDED,	     /* the process said goodbye; rings are empty */
	SESSION_EXECUTED,    /* the process replaced itself by exec */
	SESSION_LISTENS,     /* no hooked call, and no stage so far: there is nothing to tell of it */
	SESSION_LEFT,	     /* the process said goodbye before all was written: the rest is recovery's */
};

/*
 * Counters when the current file began. The next file's are put beside them before the totals are
 * written, and are in force behind that: killed in between, no call is told twice or not at all.
 */
struct file_base {
	uint64_t entered, dropped;
};

#define SOURCES_HEARD 156
#define STAGES_HEARD  64
#define ROLE_HEARD    56 /* bytes of a role's name, with its NUL */
#define SOURCE_FOUND  (1ull << 63)
#define SOURCE_LACKED (1ull << 62) /* its module, or library, is there, and has no such function */
#define SOURCE_CLOCK  (1ull << 61) /* it tells the steps: where its own calls are not counted, boundaries are */
#define SOURCE_CALLS  (SOURCE_CLOCK - 1)

/* How often stages of a role were entered. */
struct session_stage {
	char role[ROLE_HEARD];
	_Atomic uint64_t times;
};

/* What those who hand work to engines tell them: see agent/steps/phases.h. */
struct session_phase {
	_Atomic uint64_t at; /* CLOCK_MONOTONIC, ns: when it began; 0: it changes, or none has been told */
	int64_t step;	     /* STEP_NULL: the one that the engine is in */
	char role[ROLE_HEARD];
	_Atomic uint32_t will_tell;
	uint32_t unused;
};

enum request_kind { REQUEST_NONE,
		    REQUEST_START,
		    REQUEST_STOP,
		    REQUEST_MARK };

/* A mark takes the place of no start. */
enum request_slot { REQUEST_OF_WINDOW,
		    REQUEST_OF_MARK,
		    REQUEST_SLOTS };

/*
 * What `ranktrace ctl` asks of a process, which never writes here: its first page is mapped already, and a boundary's one look at
 * session_status.asked is all that a request costs before it is there. See agent/steps/requests.h.
 */
struct session_request {
	uint32_t number;       /* what `asked` became with it */
	uint32_t kind;	       /* enum request_kind */
	int64_t step;	       /* start: none before this one is recorded; stop: the last one that is */
	uint64_t steps;	       /* of a start: how many; 0: until a stop */
	uint64_t align;	       /* a start's first step is a multiple of this */
	char text[ROLE_HEARD]; /* of a start: of this role's stages alone, where they have windows of their own (empty: of all); or the mark */
	uint32_t unused;
	uint32_t crc; /* CRC-32C of all before it */
};

/* Is this number one of those behind the one, up to the other? Numbers go round. */
static inline bool request_is_between(uint32_t number, uint32_t before, uint32_t last)
{
	return number - before - 1 < last - before;
}

#define SHARED_REQUESTS "ctl" /* a file in the job's folder below save_path: REQUEST_SLOTS of them */

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
	_Atomic uint32_t state;	     /* enum session_state */
	_Atomic uint32_t cause;	     /* enum session_cause */
	_Atomic int64_t rank;	     /* -1: unknown */
	_Atomic int64_t replica;     /* that a number source told; -1: none has */
	_Atomic int64_t last_step;   /* STEP_NULL: no boundary yet */
	_Atomic uint64_t boundaries; /* step boundaries seen */
	_Atomic uint32_t asked;	     /* requests so far: written by `ranktrace ctl` alone; beside what each boundary writes */
	_Atomic uint32_t looked_at;  /* of them the last one that was looked at */
	uint32_t on_demand;	     /* does it look at all? */
	_Atomic uint32_t stage_now;  /* that it is in, by its place in stages[], and 1; 0: in none */
	_Atomic int64_t asked_first; /* the steps of the window that was asked for; */
	_Atomic int64_t asked_last;  /* STEP_NULL: of none */
	struct session_request request[REQUEST_SLOTS];
	_Atomic uint64_t next_step_at; /* CLOCK_MONOTONIC, ns: when a number source told last; 0: none has */
	_Atomic int64_t next_step;     /* what it told: the step that comes next */
	struct session_phase phase;
	_Atomic int64_t loaded;	       /* the step of the checkpoint that steps are counted on from; 0: none */
	_Atomic uint64_t windows;      /* windows opened */
	_Atomic uint64_t kept;	       /* events written to files */
	_Atomic uint64_t entered;      /* calls entered, as far as the rings were read */
	_Atomic uint64_t dropped;      /* calls dropped, likewise */
	_Atomic uint64_t no_ring;      /* calls dropped because no ring could be had; part of both */
	_Atomic uint64_t discarded;    /* events read and thrown away (a limit, a full disk); part of dropped */
	_Atomic uint64_t unselected;   /* of them those that waited for a rank which is not selected, or never came */
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
	char worker_group[128];			      /* empty: none is known */
	char steps[1024], ranks[1024], schedule[192]; /* what was asked for, as text */
	char save_path[1024];
	char file[1024];      /* the .part being written; empty: none */
	char final[1024];     /* the name it will get (also when no file is open yet) */
	char libraries[4096]; /* vendor libraries seen, newline between */
	char facts[4096];     /* text of CHUNK_FILE */
	char note[64];	      /* what the hooks noticed of their surroundings: words, blanks between */
	char unsaid[512];     /* lines that standard error did not take, "; " between */
	char sources[12288];  /* that are listened to: of steps, stages, batches and numbers, newline between */
	char packages[256];   /* of those that were found: names and versions, ", " between */
	char waited_for[512]; /* what step_source was taken for behind waited_seconds of launches; empty: it waited for none */
	uint64_t waited_seconds;
	_Atomic uint64_t heard[SOURCES_HEARD];	      /* by their places in that: calls that said something, and SOURCE_FOUND */
	_Atomic uint64_t unread[SOURCES_HEARD];	      /* calls that said nothing, as their arguments could not be read */
	struct session_stage stages[STAGES_HEARD];    /* an empty role: none */
	_Atomic uint64_t minis, micros;		      /* batches that began */
	_Atomic uint64_t queue_waits, queue_wait_ns;  /* a framework's own launch queue was waited for */
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
