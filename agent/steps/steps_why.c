#include "agent/steps/steps_why.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/requests.h"
#include "agent/steps/roles.h"
#include "agent/steps/selected.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/wanted.h"
#include "agent/steps/window.h"

/*
 * Of a list without an end (5-) there is always more to come: it is complete once its last range has begun. So is a schedule
 * that repeats without end, once it has been active.
 */
static bool is_reached(void)
{
	const struct selection *s = &settings.steps;
	int64_t last = atomic_load(&session->last_step);

	if (roles_inside_steps() && last != STEP_NULL && selected_next(last) == INT64_MAX)
		return true; /* the last one goes on, as there may be more in it */
	if (settings.schedule.given && settings.schedule.counter == SCHEDULE_STEP)
		return !settings.schedule.repeat && window_first() != STEP_NULL && selection_after(s, last);
	return s->count && s->range[s->count - 1].last == INT64_MAX && last != STEP_NULL && last >= s->range[s->count - 1].first;
}

static enum session_cause why_of_list(bool listed)
{
	if (!settings.steps.all && !settings.steps.count && requests_may_come())
		return window_first() == STEP_NULL ? CAUSE_NOT_ASKED : CAUSE_NONE;
	if (!listed || selected_is_stopped() || is_reached())
		return CAUSE_NONE;
	if (requests_may_come() && window_first() != STEP_NULL && !selected_listed_is_to_come(atomic_load(&session->last_step)))
		return CAUSE_NONE; /* all of the list was there; it went on for who might ask for more */
	return CAUSE_NOT_REACHED;
}

/* Of a step source that was left to us, only what the user may want to know. */
void steps_why_short(void)
{
	bool listed = !selected_all();
	enum session_cause cause = why_of_list(listed);

	if (!step_clock_has_fired())
		cause = step_sources_why(listed);
	if (cause != CAUSE_NONE)
		session_cause(cause, 0);
}
