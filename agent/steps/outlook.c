#include "agent/steps/outlook.h"
#include <stdatomic.h>
#include "agent/flush/windows.h"
#include "agent/format/trace_file.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/implied_stage.h"
#include "agent/steps/place.h"
#include "agent/steps/requests.h"
#include "agent/steps/roles.h"
#include "agent/steps/selected.h"
#include "agent/steps/window.h"

static _Atomic bool none;
static bool met_selected; /* a step that is selected has begun */

bool outlook_is_none(void)
{
	return none;
}

void outlook_end(void)
{
	none = true;
}

static bool is_nobodys(void)
{
	enum session_cause cause;

	if (!window_rank_is_possible())
		return true;
	cause = roles_impossible();
	if (cause != CAUSE_NONE)
		session_cause(cause, 0);
	return cause != CAUSE_NONE;
}

void outlook_look(void)
{
	none = is_nobodys() || none;
}

/* Inside steps a window may open as long as a selected step goes on, or a stage that began in one. */
static bool is_passed(int64_t step)
{
	if (settings.steps.none || requests_may_come() || selected_all() || selected_next(step) != INT64_MAX)
		return false;
	return !roles_inside_steps() || !(selected_has(step) || implied_may_be_late(step) || place_is_in_selected());
}

static void meet(int64_t step)
{
	met_selected |= step != STEP_NULL && selected_has(step);
}

void outlook_start(int64_t step)
{
	meet(step);
	if (is_nobodys()) {
		none = true;
	} else if (!settings.steps.all && !settings.steps.count && !requests_may_come()) {
		session_cause(CAUSE_NO_STEPS, 0);
		none = !settings.steps.none; /* that still hears what is told of steps and stages */
	}
}

void outlook_meet_step(int64_t step)
{
	meet(step);
	if (is_passed(step) && !met_selected)
		session_cause(CAUSE_PASSED, 0);
	outlook_step_goes_on(step);
}

/* While windows wait for the rank, whether they are to be written is heard at a later boundary. */
void outlook_step_goes_on(int64_t step)
{
	none |= step != STEP_NULL && is_passed(step) && !windows_wait();
}

bool outlook_could_be(int64_t step)
{
	outlook_look(); /* it may have become known since the last step that was more than counted */
	none |= atomic_load(&session->last_step) != STEP_NULL && is_passed(step);
	return !none;
}

void outlook_forget(void)
{
	none = met_selected = false;
}
