/* ends.h - what a stop finds in a process, as far as its status tells. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "agent/format/session_files.h"

/* The last step that a stop with this one leaves: none later than an earlier stop, whether that was heard or not. */
int64_t ends_with(const struct session_status *s, int64_t step);

/* The last step that is recorded then; STEP_NULL: nothing is recording, nor has to begin up to there. */
int64_t ends_recording(const struct session_status *s, int64_t step);

/* Is a start still to come, heard or not? It is taken back, with this first step. */
bool ends_start(const struct session_status *s, int64_t step, int64_t *first);

/* Has it yet to hear of a stop that leaves it less to record? What is asked now takes its place. */
bool ends_stop(const struct session_status *s);
