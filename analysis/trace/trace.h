/* trace.h - traces by process: which files there are, what they define, every event resolved. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/format/decode.h"
#include "analysis/trace/defs.h"
#include "analysis/util/key_values.h"
#include "analysis/trace/reader.h"
#include "analysis/util/table.h"
#include "analysis/util/timeline.h"

/* A ring as one file tells of it. */
struct ring_count {
	uint64_t entered, dropped;
};

struct trace_file {
	char *path;
	uint64_t limit; /* bytes that were there when the definitions were read */
	bool part;	/* .part: still being written, or its process died */
	bool ended, recovered;
	uint64_t first_ticks, first_monotonic, first_realtime;
	bool events;		   /* holds any */
	bool totals;		   /* a status text told: */
	uint64_t entered, dropped; /* calls since the file began, of all rings and of none */
	uint64_t kept;		   /* events in its chunks, by their headers */
	struct table rings;	   /* struct ring_count by ring id */
	struct loss loss;
	uint64_t lost_slots; /* positions missing between chunks of a ring */
};

struct process {
	uint64_t file_id;
	size_t file_count;
	struct trace_file *files;     /* by start */
	struct timeline to_monotonic; /* from ticks, by what all files tell: times of two compare */
	uint64_t realtime_offset;
	struct key_values facts; /* of all text chunks, later ones win */
	bool has_rank;
	int64_t rank;
	uint64_t pid;
	struct defs defs;
	struct table positions; /* struct ring_position, by ring: while events are read */
};

struct trace {
	size_t count, capacity;
	struct process *processes; /* by rank, host, pid */
	bool trouble;		   /* something could not be read; said on stderr */
};

struct trace_event {
	const struct process *process;
	const char *name;	     /* of the entry point */
	const struct launch *launch; /* NULL: not a launch, or its definition is lost */
	const void *definition;	     /* of a struct collective, communicator, marker or pool, by kind; NULL as above */
	enum event_kind kind;	     /* EV_KINDS: unknown */
	uint16_t hook, stream;
	uint32_t tid, epoch, ring;
	uint64_t slot;			/* position in the ring */
	int64_t step;			/* STEP_NULL: none */
	uint64_t begin_ns, duration_ns; /* Unix epoch */
	int64_t result;
	uint64_t bytes, items;	  /* items: of a batch; 0: it is none */
	uint64_t plan;		  /* joins an operator and its prepare; 0: not known */
	uint64_t address, source; /* 0: none */
	uint8_t direction;	  /* enum copy_direction */
	bool nested;
};

/* The device's side of an event. */
struct trace_device {
	const struct process *process;
	const char *name;
	const struct launch *launch;
	enum event_kind kind;
	uint16_t hook, stream, ring;
	uint32_t slot; /* low 32 bits of the event's position */
	uint64_t begin_ns, duration_ns;
};

/* One more piece of memory, beside the one that the event of the call tells of. */
struct trace_piece {
	const struct pool *pool; /* NULL: the vendor's memory */
	uint64_t address, bytes, ns;
	bool is_free;
};

struct visitor {
	void (*event)(void *context, const struct trace_event *ev);
	void (*device)(void *context, const struct trace_device *dev);
	void (*piece)(void *context, const struct trace_piece *piece);
	void (*step)(void *context, uint32_t ring, uint64_t slot, uint32_t epoch);
	void *context;
};

/* Finds the files under the paths and sorts them into processes. Complains on stderr. */
void trace_open(struct trace *t, char *const *paths, int count);
void trace_close(struct trace *t);

/* Reads everything but the events of a process. 0, or -1 with the reason on stderr. */
int process_load(struct process *p);

/* Calls the visitor for every slot, ring by ring as the chunks stand in the files. */
void process_events(struct process *p, const struct visitor *v);

/* How device times of this stream were had, as a word; NULL: not told. */
const char *trace_time_source(const struct process *p, uint16_t stream);

/* Back to what trace_open() knew. */
void process_unload(struct process *p);

/* What process_load() and process_events() have found missing. */
void process_loss(const struct process *p, struct loss *sum, uint64_t *slots);
bool process_lost(const struct process *p);
bool file_lost(const struct trace_file *f);

/* Calls that were dropped before they came to a file; after process_load(). */
uint64_t process_dropped(const struct process *p);

/* Opens the file, under its final name if it was finished meanwhile. As reader_open(). */
int file_open(struct reader *r, struct trace_file *f, uint64_t limit);

/* Calls since the file began, and how many of them were dropped. */
void file_calls(const struct trace_file *f, uint64_t *called, uint64_t *dropped);

/* Takes rank and pid out of the facts. */
void process_identify(struct process *p);
const char *process_fact(const struct process *p, const char *key); /* never NULL */

/* Ticks to ns since the Unix epoch: never decreasing, whichever file they stand in. */
static inline uint64_t process_time(struct process *p, uint64_t ticks)
{
	return p->realtime_offset + timeline_convert(&p->to_monotonic, ticks);
}
