#include "agent/steps/selected.h"
#include "agent/format/trace_file.h"
#include "agent/session/settings.h"
#include "config/base/number.h"
#include "config/step_choice.h"

#define FIRST_STEP 1

static const struct schedule none; /* where it counts something else */
static struct step_choice choice = { &settings.steps, &none, FIRST_STEP };

void selected_start(void)
{
	choice.schedule = settings.schedule.counter == SCHEDULE_STEP ? &settings.schedule : &none;
}

bool selected_all(void)
{
	return settings.steps.all && !choice.schedule->given;
}

void selected_meet(int64_t step)
{
	if (step < choice.base && step > -NUMBER_MAX)
		choice.base = step;
}

bool selected_has(int64_t step)
{
	return selected_all() || (step != STEP_NULL && step_choice_has(&choice, step));
}

int64_t selected_next(int64_t step)
{
	return step_choice_next(&choice, step);
}

void selected_run(int64_t step, int64_t *first, int64_t *last)
{
	step_choice_run(&choice, step, first, last);
}

void selected_forget(void)
{
	choice.base = FIRST_STEP;
}
