#include "agent/steps/selected.h"
#include <stdatomic.h>
#include "agent/base/text.h"
#include "agent/format/session_files.h"
#include "agent/format/trace_file.h"
#include "agent/session/settings.h"
#include "config/role_choice.h"
#include "config/step_choice.h"

static struct step_choice choice = STEP_CHOICE(&settings.steps, &settings.schedule);

/* What was asked for while the process ran. Numbers are asked for without the steps' lock, too. */
static _Atomic int64_t asked_first = STEP_NULL, asked_last = STEP_NULL; /* STEP_NULL: nothing */
static _Atomic int64_t asked_to = INT64_MAX;				/* a stop leaves the window its name, and ends it here */
static char asked_role[ROLE_HEARD];
static _Atomic int64_t listed_to = INT64_MAX; /* the last step for which the settings are asked, */
static _Atomic bool listed_over;	      /* and it has passed */

/* ---- of the settings ---- */

bool selected_all(void)
{
	return settings.steps.all && !listed_over && !step_choice_has_schedule(&choice);
}

static bool is_listed(int64_t step)
{
	return !listed_over && step <= listed_to && step_choice_has(&choice, step);
}

static int64_t next_listed(int64_t step)
{
	int64_t next = listed_over ? INT64_MAX : step_choice_next(&choice, step);

	return next <= listed_to ? next : INT64_MAX;
}

bool selected_listed_is_to_come(int64_t step)
{
	return next_listed(step) != INT64_MAX;
}

void selected_meet(int64_t step)
{
	step_choice_meet(&choice, step);
	listed_over = listed_over || step > listed_to;
}

/* ---- asked for ---- */

void selected_ask(int64_t first, int64_t last, const char *role)
{
	text_copy(asked_role, sizeof(asked_role), role);
	asked_to = INT64_MAX;
	asked_last = last;
	asked_first = first;
}

void selected_stop(int64_t last)
{
	if (last < asked_to)
		asked_to = last;
	if (last < listed_to)
		listed_to = last;
}

bool selected_is_stopped(void)
{
	return listed_to != INT64_MAX;
}

bool selected_asked(int64_t step)
{
	return step != STEP_NULL && step >= asked_first && step <= asked_last && step <= asked_to;
}

static int64_t next_asked(int64_t step)
{
	int64_t next = step < asked_first ? asked_first : step + 1;

	return step < INT64_MAX && selected_asked(next) ? next : INT64_MAX;
}

/* ---- both ---- */

bool selected_has(int64_t step)
{
	if (step == STEP_NULL)
		return selected_all();
	return selected_asked(step) || is_listed(step);
}

bool selected_has_stage(int64_t step, const char *name)
{
	if (!selected_has(step))
		return false;
	return !selected_asked(step) || is_listed(step) || !*asked_role || role_has_stage(asked_role, name);
}

int64_t selected_next(int64_t step)
{
	int64_t listed = next_listed(step), asked = next_asked(step);

	return asked < listed ? asked : listed;
}

/* A window that was asked for has its own file; of those of the settings the part that lies beside it. */
void selected_run(int64_t step, int64_t *first, int64_t *last)
{
	int64_t begin = asked_first, end = asked_last;

	if (selected_asked(step)) {
		*first = begin;
		*last = end;
		return;
	}
	step_choice_run(&choice, step, first, last);
	if (begin == STEP_NULL)
		return;
	if (step < begin && *last >= begin)
		*last = begin - 1;
	if (step > end && *first <= end)
		*first = end + 1;
}

void selected_forget(void)
{
	choice = (struct step_choice)STEP_CHOICE(&settings.steps, &settings.schedule);
	asked_first = asked_last = STEP_NULL;
	asked_to = listed_to = INT64_MAX;
	listed_over = false;
}
