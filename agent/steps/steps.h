/* steps.h - which step it is, and whether it is recorded. Who says so: step_sources.h. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/steps/place.h"

/* The boundary that starts the flush thread takes memory: no signal handler makes that one. A look at two numbers else. */
bool steps_may_change(void);

/*
 * Reads the sources, decides about the first window. Called once, by the agent. listens: nobody has called a vendor yet, but a module is
 * there whose functions are watched. Then no window opens, and nothing is told of the process, before steps_wake() or its first stage.
 */
void steps_start(bool listens);

/* A hooked function is called in a process that listens. */
void steps_wake(void);

/* This source says that step n begins now. */
void steps_begin(unsigned int source, int64_t n);

/* A checkpoint of this step is loaded: a source that counts goes on behind it. */
void steps_loaded(int64_t n);

/* This source says that a step has begun, or ended. */
void steps_count(unsigned int source);

/* What a source that learns where steps end says of the one that ends. */
struct step_end {
	bool provisional, next_provisional; /* that step, and, as it begins, the next one */
	const char *facts;		    /* lines as in CHUNK_FILE, told in windows when they are others than before; NULL: none */
	int64_t provisional_to;		    /* what they say of first steps: see optimizer_rounds.h */
	bool unsure;			    /* that is not yet all they say of those */
};
void steps_end(unsigned int source, const struct step_end *end);

/* Facts are others than before, though no step has ended. */
void steps_learned(unsigned int source, const struct step_end *end);

/*
 * A stage begins in this context: a coroutine, or 0, the thread; what is entered inside it belongs to it. Returns what ends it; 0: there
 * is nothing to end.
 */
uint64_t steps_stage_begin(const char *role, uintptr_t context);
void steps_stage_end(uint64_t token);

/* A mini- or micro-batch begins, or ends. */
void steps_batch(const struct batch_told *batch);

/* May a window open or close where the next step begins (STEP_NULL), or this one; where a stage begins or ends; or where this batch is told? */
bool steps_step_may_move(int64_t n);
bool steps_stage_may_move(void);
bool steps_batch_may_move(const struct batch_told *batch);

/* This source is about to say that a step has ended: see step_clock_claim(). */
void steps_claim(unsigned int source);

/* The rank has become known in the middle of a step. */
void steps_rank_is_known(void);

/* At exit: closes the open window. */
void steps_stop(void);

void steps_forget(void); /* in a forked child */
