/* selected.h - the steps to record: settings.steps, of which settings.schedule may leave some out. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* All of them, and what comes before the first. */
bool selected_all(void);

/* Told of each step. The schedule's index 0 is step 1, or the first one that a program told, if that is less. */
void selected_meet(int64_t step);

/* STEP_NULL is selected where all is. */
bool selected_has(int64_t step);

/* The least selected step behind this one; INT64_MAX: there is none. */
int64_t selected_next(int64_t step);

/* The window around a selected step: [first, last]. */
void selected_run(int64_t step, int64_t *first, int64_t *last);

/*
 * Steps that `ranktrace ctl` asks for beside them; of a role's stages alone, where those have windows of their own (empty: of all).
 * Behind a stop, which has this last step, none is selected that is not asked for later; another stop moves no end forward.
 */
void selected_ask(int64_t first, int64_t last, const char *role);
void selected_stop(int64_t last);
bool selected_asked(int64_t step);
bool selected_is_stopped(void);

/* Of the settings' steps: is there one behind this one? */
bool selected_listed_is_to_come(int64_t step);
bool selected_has_stage(int64_t step, const char *name);

void selected_forget(void); /* in a forked child */
