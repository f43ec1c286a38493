/* chunks.h - chunks into the file of the window, until something ends that. The flush thread's. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "agent/format/causes.h"
#include "agent/format/trace_file.h"

/* Is there a file, and may more be written into it? */
bool chunks_are_wanted(void);

/* True if the chunk is in the file. */
bool chunks_put(struct chunk_header *h, const void *payload, size_t size);

/* Whole definitions, as a chunk of their own. */
void chunks_put_definitions(const void *bytes, size_t size);

/* From here on nothing is written and everything is counted as dropped, with this cause. */
void chunks_discard(enum session_cause cause, int error);
bool chunks_discarding(void);

/* The same until this window ends, as its rank is not selected, or unknown: counted apart. */
void chunks_leave_out(enum session_cause cause);
bool chunks_left_out(void);

/* The same, where there is no memory to make chunks in. */
void chunks_no_memory(void);

/* A new window: what was thrown away before does not count here. */
void chunks_window(bool asked);

/* The cause of a negative errno that came when a file was to be opened or written. */
enum session_cause chunks_cause_of(int error);

void chunks_forget(void); /* in a forked child */
