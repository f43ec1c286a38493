#include "analysis/report/whole_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/dropped_steps.h"

/* Windows inside steps leave out what lies beside them, wherever in the step that is. */
static bool is_in_parts(const struct report *r, const struct step_row *s)
{
	return s->unrecorded || !strcmp(report_fact(r, "discrete"), "true") || strstr(report_fact(r, "schedule"), "counter=");
}

const char *whole_steps_end(const struct report *r, const struct step_row *s)
{
	char last[COLUMN];

	if (s->step == STEP_NULL)
		return "";
	if (is_in_parts(r, s))
		return ", in parts";
	if (!s->ended)
		return ", not ended";
	/* Nothing but the program's end ended its last step. */
	snprintf(last, sizeof(last), "%" PRId64, s->step);
	return !strcmp(report_fact(r, "reason"), "exit") && !strcmp(report_fact(r, "last_step"), last) ? ", to the exit" : "";
}

const char *whole_steps_lack(const struct report *r, const struct step_row *s)
{
	if (s->step == STEP_NULL)
		return "is outside all steps";
	if (is_in_parts(r, s))
		return "was recorded in parts";
	if (!s->ended || s->cut)
		return "was not recorded to its end";
	if (*whole_steps_end(r, s))
		return "ended with the program";
	if (s->provisional)
		return "may have another end: its rounds of optimizers were not known yet";
	return dropped_steps_has(r, s->step) ? "lost calls" : NULL;
}

bool whole_steps_have(const struct report *r, const struct step_row *s)
{
	return !whole_steps_lack(r, s);
}
