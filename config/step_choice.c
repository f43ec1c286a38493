#include "config/step_choice.h"
#include "config/base/number.h"

void step_choice_meet(struct step_choice *c, int64_t step)
{
	bool begins = c->schedule->relative ? !c->met : step < c->base;

	c->met = true;
	if (begins && step > -NUMBER_MAX)
		c->base = step;
}

bool step_choice_has_schedule(const struct step_choice *c)
{
	return c->schedule->given && c->schedule->counter == SCHEDULE_STEP;
}

/* A step so far away that it has no index is none of the schedule's. */
static bool has_index(const struct step_choice *c, int64_t step, int64_t *index)
{
	return !__builtin_sub_overflow(step, c->base, index) && *index >= 0;
}

bool step_choice_has(const struct step_choice *c, int64_t step)
{
	int64_t index;

	if (!selection_has(c->steps, step))
		return false;
	return !step_choice_has_schedule(c) || (has_index(c, step, &index) && schedule_has(c->schedule, index));
}

/* Each round leaves a range of the list behind, or a cycle of the schedule. */
int64_t step_choice_next(const struct step_choice *c, int64_t step)
{
	int64_t index, next;

	if (!step_choice_has_schedule(c))
		return selection_next(c->steps, step);
	if (step < c->base)
		step = c->base - 1;
	for (;;) {
		step = selection_next(c->steps, step);
		if (step == INT64_MAX || step_choice_has(c, step))
			return step;
		next = has_index(c, step, &index) ? schedule_next(c->schedule, index) : INT64_MAX;
		if (next == INT64_MAX)
			return INT64_MAX;
		step = next + c->base - 1;
	}
}

void step_choice_run(const struct step_choice *c, int64_t step, int64_t *first, int64_t *last)
{
	int64_t begin, end;

	selection_run(c->steps, step, first, last);
	if (!step_choice_has_schedule(c))
		return;
	schedule_run(c->schedule, step - c->base, &begin, &end);
	*first = *first > begin + c->base ? *first : begin + c->base;
	if (end != INT64_MAX && *last > end + c->base)
		*last = end + c->base;
}
