/*
 * progress.h - in which step the process is, and in which place of it; whoever goes on moves epochs, windows and the gate. All under the
 * steps' lock, but for the questions (may) and progress_count().
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/steps/place.h"

/* The current step; STEP_NULL: none, or none that is known to be one. */
int64_t progress_step(void);
int64_t progress_next_step(void);

/* No window is open, and none will be. */
bool progress_is_over(void);

void progress_set_gate(void);

/*
 * Step n begins, or the step goes on in another place: if that starts the flush thread it takes memory, and a signal handler may have
 * interrupted malloc.
 */
bool progress_may_begin(int64_t n);
bool progress_may_change_place(void);

/* Looks at what `ranktrace ctl` asks. */
void progress_hear(void);

/* As steps.h has them. */
bool progress_step_may_move(int64_t n);
bool progress_stage_may_move(void);
bool progress_batch_may_move(const struct batch_told *batch); /* under the lock */

/* What nearly all steps are is done without the lock, in a few cache lines: a trainer that has just used them all pays for each. False: this one is more. */
bool progress_count(void);

/* The first source fires, which ends steps, or begins them: whether what was step 1 so far is one. */
void progress_settle(bool ends);

/* Step n begins, which has these EPOCH_ flags. */
void progress_to_step(int64_t n, uint64_t flags);

/* The process has only listened so far, and now has something to tell: see steps_start(). */
void progress_wake(uint64_t now);

/* Before any source has told: a checkpoint of this step is loaded, and whoever counts goes on behind it. */
void progress_loaded(int64_t n);

/* The step goes on in another place, since these ticks. */
void progress_to_place(uint64_t now);

/* As place_enter(), place_leave(), place_imply() and place_take(), with all that follows. */
uint64_t progress_enter(const char *role, uintptr_t context, uint64_t now);
void progress_leave(uint64_t token, uint64_t now);
void progress_take(const struct batch_told *batch, uint64_t now);

/* Decides about the first window; which sources there are: see step_clock_which_end(). False: nothing will be recorded, and nothing heard. */
bool progress_start(bool some_end, bool all_end);

/* Could more have come? */
bool progress_may_go_on(void);

/* The end: what is open is closed. */
void progress_stop(void);

void progress_forget(void); /* in a forked child */
