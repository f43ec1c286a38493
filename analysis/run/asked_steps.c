#include "analysis/run/asked_steps.h"

#include <stdio.h>
#include <string.h>

#include "config/step_choice.h"

void asked_steps_text(const struct config *c, char *text, size_t size)
{
	size_t used = 0;

	snprintf(text, size, "%s", "");
	if (!c->steps.all || !c->schedule.given) {
		selection_text(&c->steps, text, size);
		used = strlen(text);
	}
	if (!*text && !c->schedule.given && c->on_demand)
		snprintf(text, size, "that `ranktrace ctl` asks for");
	if (!c->schedule.given)
		return;
	used += (size_t)snprintf(text + used, size - used, "%sby the schedule ", used ? " " : "");
	if (used < size)
		schedule_text(&c->schedule, text + used, size - used);
}

bool asked_steps_after(const struct config *c, int64_t step)
{
	struct step_choice choice = STEP_CHOICE(&c->steps, &c->schedule);

	step_choice_meet(&choice, step);
	return step_choice_next(&choice, step) != INT64_MAX;
}
