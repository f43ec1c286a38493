#include "agent/steps/selected.h"
#include "agent/format/trace_file.h"
#include "agent/session/settings.h"
#include "config/step_choice.h"

static struct step_choice choice = STEP_CHOICE(&settings.steps, &settings.schedule);

bool selected_all(void)
{
	return settings.steps.all && !step_choice_has_schedule(&choice);
}

void selected_meet(int64_t step)
{
	step_choice_meet(&choice, step);
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
	choice = (struct step_choice)STEP_CHOICE(&settings.steps, &settings.schedule);
}
