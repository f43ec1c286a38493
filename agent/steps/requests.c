#include "agent/steps/requests.h"
#include <stddef.h>
#include <string.h>
#include "agent/base/crc32c.h"
#include "agent/format/trace_file.h"
#include "agent/session/settings.h"
#include "agent/steps/selected.h"
#include "config/base/number.h"

_Atomic uint32_t requests_heard;

/* Whoever may write into our session may have written anything. */
static bool is_sound(const struct session_request *r, uint32_t number)
{
	return r->number == number && r->kind <= REQUEST_STOP && crc32c(0, r, offsetof(struct session_request, crc)) == r->crc && memchr(r->role, '\0', sizeof(r->role)) &&
	       r->step >= -NUMBER_MAX && r->step <= NUMBER_MAX && r->steps <= NUMBER_MAX && r->align >= 1 && r->align <= NUMBER_MAX;
}

static int64_t multiple_from(int64_t step, int64_t align)
{
	int64_t behind = step % align;

	if (behind < 0)
		behind += align;
	return behind ? step + align - behind : step;
}

static void publish(int64_t first, int64_t last)
{
	atomic_store(&session->asked_first, first);
	atomic_store(&session->asked_last, last);
}

/* Heard too late it begins with the next multiple: as in whoever else was late. */
static void start(const struct session_request *r, int64_t next)
{
	int64_t first = multiple_from(r->step > next ? r->step : next, (int64_t)r->align);
	int64_t last = r->steps ? first + (int64_t)r->steps - 1 : INT64_MAX;

	selected_ask(first, last, r->role);
	publish(first, last);
}

static void stop(const struct session_request *r, int64_t next)
{
	int64_t last = r->step > next - 1 ? r->step : next - 1;

	selected_stop(last);
	if (atomic_load(&session->asked_first) > last)
		publish(STEP_NULL, STEP_NULL);
	else if (atomic_load(&session->asked_last) > last)
		atomic_store(&session->asked_last, last);
}

void requests_take(int64_t next)
{
	uint32_t number = atomic_load(&session->asked);
	struct session_request r = session->request; /* it may change meanwhile: then its check sum is wrong, and `asked` changes again */

	atomic_store(&requests_heard, number);
	if (!settings.on_demand || !is_sound(&r, number) || next < -NUMBER_MAX || next > NUMBER_MAX)
		r.kind = REQUEST_NONE;
	if (r.kind == REQUEST_START)
		start(&r, next);
	else if (r.kind == REQUEST_STOP)
		stop(&r, next);
	atomic_store(&session->looked_at, number);
}

bool requests_may_come(void)
{
	return settings.on_demand;
}

void requests_forget(void)
{
	atomic_store(&requests_heard, 0);
}
