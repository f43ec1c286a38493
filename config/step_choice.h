/* step_choice.h - the steps of a list, of which a schedule may leave some out, if it counts steps. Index 0 of the schedule is step `base`. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "config/schedule.h"
#include "config/selection.h"

struct step_choice {
	const struct selection *steps;
	const struct schedule *schedule;
	int64_t base;
	bool met; /* a step */
};

/* Base is step 1, */
#define STEP_CHOICE(steps, schedule)      \
	{                                 \
		steps, schedule, 1, false \
	}

/* or the first step that there is, if that is less; of a relative schedule whichever that is. */
void step_choice_meet(struct step_choice *c, int64_t step);

bool step_choice_has_schedule(const struct step_choice *c);

bool step_choice_has(const struct step_choice *c, int64_t step);

/* The least step behind this one that is chosen; INT64_MAX: there is none. */
int64_t step_choice_next(const struct step_choice *c, int64_t step);

/* The window around a step that is chosen: [first, last]. */
void step_choice_run(const struct step_choice *c, int64_t step, int64_t *first, int64_t *last);
