/* process.h - the files of one process, and what they tell of it as a whole. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/trace/defs.h"
#include "analysis/trace/reader.h"
#include "analysis/util/key_values.h"
#include "analysis/util/table.h"
#include "analysis/util/timeline.h"

/* A ring as one file tells of it. */
struct ring_count {
	uint64_t entered, dropped;
	bool known;
	bool events; /* it holds any */
};

struct trace_file {
	char *path;
	uint64_t limit; /* bytes that were there when the definitions were read */
	bool part;	/* .part: still being written, or its process died */
	bool ended, recovered;
	bool known; /* it was not opened */
	bool newer; /* parts of it were written by a newer version */
	uint64_t first_ticks, first_monotonic, first_realtime;
	bool events;		   /* holds any */
	bool totals;		   /* a status text told: */
	uint64_t entered, dropped; /* calls since the file began, of all rings and of none */
	uint64_t kept;		   /* events in its chunks, by their headers */
	struct table rings;	   /* struct ring_count by ring id */
	struct loss loss;
	uint64_t refused;    /* chunks of no events, whole as they are, whose payload cannot be read */
	uint64_t lost_slots; /* positions missing between chunks of a ring */
};

struct process {
	uint64_t file_id;
	size_t file_count;
	struct trace_file *files;     /* by start */
	size_t empty_files;	      /* not among those: nothing could be written to them */
	struct timeline to_monotonic; /* from ticks, by what all files tell: times of two compare */
	uint64_t realtime_offset;
	struct key_values facts; /* of all text chunks, later ones win */
	bool has_rank;
	bool known;   /* of none of its files more than struct known_file was read */
	bool grouped; /* the trace has ranks of several groups of workers, so that titles say of which */
	int64_t rank;
	uint64_t pid;
	struct defs defs;
	struct table positions; /* struct ring_position, by ring: while events are read */
};

/* What process_load() and process_events() have found missing. */
void process_loss(const struct process *p, struct loss *sum, uint64_t *slots);
bool process_lost(const struct process *p);
bool trace_file_lost(const struct trace_file *f);

/* Calls that were dropped before they came to a file, and are missed; after process_load(). */
uint64_t process_dropped(const struct process *p);

/* Of so many that were dropped those that nobody misses: they waited for a rank that is not selected, or never came. */
uint64_t process_unselected(const struct process *p, uint64_t dropped);

#define MISSING_ROOM 200

/* What both passes have found missing, in words; an empty text: nothing. */
void process_missing(const struct process *p, char *text, size_t size);

/* Opens the file, under its final name if it was finished meanwhile. As reader_open(). */
int trace_file_open(struct reader *r, struct trace_file *f, uint64_t limit);

/* Calls since the file began, and how many of them were dropped. */
void trace_file_calls(const struct trace_file *f, uint64_t *called, uint64_t *dropped);

/* Do all events stand in one ring, in the order in which the calls returned? */
bool process_has_one_ring(const struct process *p);

/* Takes rank and pid out of the facts. */
void process_identify(struct process *p);
const char *process_fact(const struct process *p, const char *key); /* never NULL */

/* Ticks to ns since the Unix epoch: never decreasing, whichever file they stand in. */
static inline uint64_t process_time(struct process *p, uint64_t ticks)
{
	return p->realtime_offset + timeline_convert(&p->to_monotonic, ticks);
}
