/*
 * roles.h - how a place of a step is recorded: as settings.roles say of the role of its stage, or the settings of all. All under the
 * steps' lock.
 */
#pragma once
#include <stdbool.h>
#include "agent/format/causes.h"
#include "agent/session/identity.h"
#include "agent/session/settings.h"
#include "agent/steps/place.h"

/* Makes settings.level and settings.contents what all roles want together: for that books are kept. */
void roles_start(void);

/* Are there windows that do not last as long as their step? */
bool roles_inside_steps(void);

/* Why none of them can be recorded in this process. CAUSE_NONE: one can, as far as its rank is known. */
enum session_cause roles_impossible(void);

/* A step begins: a role's schedule may count them, and then each has a window of its own. */
void roles_meet_step(int64_t step);
bool roles_steps_differ(void);

/* A stage of this name is entered in this step. */
void roles_meet(const char *stage, int64_t step);

/*
 * Is this place of a step recorded, and how: in a window of its stage alone, or of batches in it, as a discrete role's, or in one of the
 * whole step, whose detail is that of all such roles which this process has met. A stage may have begun in an earlier step.
 */
bool roles_want(const struct place_now *place, int64_t step, struct detail *detail);

/* What becomes of windows that wait for these roles, a bit each: see struct detail. */
enum verdict roles_verdict(unsigned int waits_for);

/* Why there was no window. CAUSE_NONE: that has nothing to do with roles. */
enum session_cause roles_why(void);

void roles_forget(void); /* in a forked child */
