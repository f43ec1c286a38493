/*
 * phases.h - what an engine's batches are for: who hands it its work is told whether that is a validation, and tells the engines of the
 * run on this host; they read it with each batch.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/format/session_files.h"

struct phase {
	char role[ROLE_HEARD];
	int64_t step; /* STEP_NULL: the one that the engine is in */
};

/* From now on work is of this role. By the process that is told. */
void phases_tell(const char *role, int64_t step);

/* This process will tell: its function has been found. */
void phases_will_tell(void);

/* Looks for those who tell. Reads files: once a step. */
void phases_look(void);

/* Does anybody? */
bool phases_any(void);

/* What was told last. False: nothing. A few loads; under the steps' lock. */
bool phases_now(struct phase *phase);

void phases_forget(void); /* in a forked child */
