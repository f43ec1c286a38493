/* complete_file.h - what recover.c writes: the chunks that complete the file of a dead process, made of the images of its rings. */
#pragma once
#include "analysis/session/chunk_writer.h"
#include "analysis/session/recover.h"
#include "analysis/session/ring_images.h"
#include "analysis/util/table.h"

/* How far a ring is in the file already. */
struct ring_reach {
	uint64_t next_slot;
};

struct incomplete_file {
	const struct session_status *status;
	const struct ring_images *image;
	struct table reached; /* struct ring_reach by ring id */
	struct chunk_writer writer;
	uint64_t totals;	     /* number of the last file whose totals were found; 0: none */
	struct clock_reading before; /* the last one of the file before; ticks 0: there is none */
	bool fresh;		     /* the file had no chunk: it needs its CHUNK_FILE */
	bool ended;		     /* it has its CHUNK_END */
	uint64_t before_us;	     /* events that it had already */
	uint64_t events, discarded;  /* saved; not wanted (a limit was reached before) */
	uint64_t gone;		     /* were in rings whose slots ended with the process */
	struct recovered *result;
};

/* May the slots go to a file? Not once a limit was reached, nor for a rank nobody selected. */
bool complete_file_wanted(const struct session_status *s);

/* They waited for the process's rank, which had not come when it ended. */
bool complete_file_waited(const struct session_status *s);

/* Is there a slot that the file does not have, or a stage of a window that has no file? */
bool complete_file_pending(const struct incomplete_file *s);

/* Events in memory that the file does not have. */
uint64_t complete_file_events(const struct incomplete_file *s);

/* Writes what is missing, and CHUNK_END. 0 or a negative errno. */
int complete_file_write(struct incomplete_file *s);
