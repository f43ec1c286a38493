/* window.h - the window that is open: its name, and whether it is to be written. All under the steps' lock. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/flush/windows.h"
#include "agent/steps/wanted.h"

/* What becomes of this process's windows, as far as its rank is known: by the ranks of all. */
enum verdict window_verdict(void);

/* It may have become known since the last time: says so to whoever writes them. */
void window_decide(void);

/* The rank may have become known; a listed one that is not ours ends it all. */
bool window_rank_is_possible(void);

/* A process that has steps trains, launchers do not: better told now than when it has ended. */
void window_tell_of_rank(void);

bool window_is_open(void);

/* Is that the one that was opened last? Where a role's ranks decide, both are kept, or thrown away, together. */
bool window_is(const struct wanted *w);

/* It goes on, in another place: what is wanted there is in force from now on. */
void window_go_on(const struct wanted *w);

/* What is in force in the one that is open. */
const struct detail *window_detail(void);

/* Does the one that is open go on in this step? */
bool window_has(int64_t step);

/* Of the one that is open, from 1; 0: none is. */
uint64_t window_number(void);
void window_open(const struct wanted *w, int64_t step);
void window_close(uint32_t last_epoch, const char *reason);

/* The step that the first window began with; STEP_NULL: there was none. */
int64_t window_first(void);

/* Opens one of the newest one's name. */
void window_again(void);

void window_forget(void); /* in a forked child */
