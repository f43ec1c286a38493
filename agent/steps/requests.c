#include "agent/steps/requests.h"
#include <stddef.h>
#include <string.h>
#include "agent/base/crc32c.h"
#include "agent/base/text.h"
#include "agent/format/trace_file.h"
#include "agent/session/settings.h"
#include "agent/steps/selected.h"
#include "agent/steps/shared_requests.h"
#include "config/base/number.h"

_Atomic uint32_t requests_heard;

static uint32_t heard;	      /* the last one of our session */
static char mark[ROLE_HEARD]; /* that waits for a window */

/* Whoever may write into our session may have written anything. */
static bool is_sound(const struct session_request *r)
{
	return crc32c(0, r, offsetof(struct session_request, crc)) == r->crc && memchr(r->text, '\0', sizeof(r->text)) &&
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

	selected_ask(first, last, r->text);
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

static void take_window(const struct session_request *r, int64_t next)
{
	if (next < -NUMBER_MAX || next > NUMBER_MAX)
		return;
	if (r->kind == REQUEST_START)
		start(r, next);
	else if (r->kind == REQUEST_STOP)
		stop(r, next);
}

static void take_mark(const struct session_request *r, int64_t next)
{
	(void)next;
	if (r->kind == REQUEST_MARK)
		text_copy(mark, sizeof(mark), r->text);
}

static void (*const take[REQUEST_SLOTS])(const struct session_request *r, int64_t next) = {
	[REQUEST_OF_WINDOW] = take_window,
	[REQUEST_OF_MARK] = take_mark,
};

/* One that changes while it is copied has a wrong check sum, and `asked` changes again. */
static bool take_own(int64_t next)
{
	uint32_t number = atomic_load(&session->asked), before = heard;

	if (number == before)
		return false;
	heard = number;
	for (unsigned int i = 0; i < REQUEST_SLOTS; i++) {
		struct session_request r = session->request[i];

		if (request_is_between(r.number, before, number) && is_sound(&r))
			take[i](&r, next);
	}
	atomic_store(&session->looked_at, number);
	return true;
}

static bool take_shared(int64_t next)
{
	struct session_request r;
	bool any = false;

	for (unsigned int i = 0; i < REQUEST_SLOTS; i++)
		if (shared_requests_take(i, &r) && is_sound(&r)) {
			take[i](&r, next);
			any = true;
		}
	shared_requests_look(); /* for the next boundary */
	return any;
}

bool requests_take(int64_t next)
{
	uint32_t number = atomic_load(&session->asked);
	bool shared = settings.on_demand && settings.on_demand_shared, any = settings.on_demand && take_own(next);

	if (shared)
		any |= take_shared(next);
	/* Each boundary comes in for the file's sake: requests_wait() then always says yes. */
	atomic_store(&requests_heard, shared ? ~number : number);
	return any;
}

bool requests_take_mark(char text[ROLE_HEARD])
{
	text_copy(text, ROLE_HEARD, mark);
	mark[0] = '\0';
	return *text;
}

void requests_start(void)
{
	if (settings.on_demand && settings.on_demand_shared)
		atomic_store(&requests_heard, ~0u);
}

bool requests_may_come(void)
{
	return settings.on_demand;
}

void requests_forget(void)
{
	atomic_store(&requests_heard, 0);
	heard = 0;
	shared_requests_forget();
	mark[0] = '\0';
}
