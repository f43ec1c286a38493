#include "analysis/ctl/ends.h"

#include "agent/format/trace_file.h"
#include "analysis/session/request.h"

/* Is it of this kind, whole, and the newest? */
static bool asked_last_to(const struct session_status *s, enum request_kind kind)
{
	const struct session_request *r = &s->request[REQUEST_OF_WINDOW];

	return r->kind == kind && request_is_whole(r);
}

int64_t ends_with(const struct session_status *s, int64_t step)
{
	int64_t before = s->request[REQUEST_OF_WINDOW].step;

	return asked_last_to(s, REQUEST_STOP) && before >= s->last_step && before < step ? before : step;
}

int64_t ends_recording(const struct session_status *s, int64_t step)
{
	bool asked = s->asked_first != STEP_NULL && s->asked_first <= step && s->asked_last >= s->last_step;
	int64_t end = ends_with(s, step);

	if (!asked)
		return s->state == SESSION_RECORDING ? end : STEP_NULL;
	return s->asked_last < end ? (int64_t)s->asked_last : end;
}

static bool is_unheard(const struct session_status *s)
{
	return request_is_between(s->request[REQUEST_OF_WINDOW].number, s->looked_at, s->asked);
}

bool ends_start(const struct session_status *s, int64_t step, int64_t *first)
{
	if (asked_last_to(s, REQUEST_START) && is_unheard(s))
		*first = s->request[REQUEST_OF_WINDOW].step;
	else if (s->asked_first != STEP_NULL && s->asked_first > step)
		*first = s->asked_first;
	else
		return false;
	return true;
}

bool ends_stop(const struct session_status *s)
{
	return asked_last_to(s, REQUEST_STOP) && is_unheard(s) && (s->state == SESSION_RECORDING || s->steps[0]);
}
