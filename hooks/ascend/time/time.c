#include "hooks/ascend/time/time.h"
#include "agent/os/slow_path.h"
#include "hooks/ascend/time/mspti.h"
#include "hooks/ascend/time/other_profilers.h"
#include "hooks/ascend/tracking/streams.h"
#include "hooks/capture/pairs/vendor_times.h"
#include "hooks/link/resolve.h"

#define ACL_EVENT_TIME_LINE 8
#define US		    1000u

/* ---- events ---- */

static bool find(void **real)
{
	static _Atomic(void *) create_ex, create, destroy, record, query, elapsed, timestamp, capture;

	/* Events of the first kind are not among those that a device has a limited number of. */
	real[EVENT_CREATE] = hook_vendor(&create_ex, "aclrtCreateEventExWithFlag");
	if (!real[EVENT_CREATE])
		real[EVENT_CREATE] = hook_vendor(&create, "aclrtCreateEventWithFlag");
	real[EVENT_DESTROY] = hook_vendor(&destroy, "aclrtDestroyEvent");
	real[EVENT_RECORD] = hook_vendor(&record, "aclrtRecordEvent");
	real[EVENT_QUERY] = hook_vendor(&query, "aclrtQueryEventStatus");
	real[EVENT_ELAPSED] = hook_vendor(&elapsed, "aclrtEventElapsedTime");
	real[EVENT_TIMESTAMP] = hook_vendor(&timestamp, "aclrtEventGetTimestamp");
	real[EVENT_CAPTURE] = hook_vendor(&capture, "aclmdlRICaptureGetInfo");
	return real[EVENT_CREATE] && real[EVENT_DESTROY] && real[EVENT_RECORD] && real[EVENT_QUERY] && real[EVENT_ELAPSED];
}

static int create(void *const *real, void **event)
{
	aclError (*call)(aclrtEvent *, uint32_t) = real[EVENT_CREATE];

	return call(event, ACL_EVENT_TIME_LINE);
}

static int destroy(void *const *real, void *event)
{
	aclError (*call)(aclrtEvent) = real[EVENT_DESTROY];

	return call(event);
}

static int record(void *const *real, void *event, void *stream)
{
	aclError (*call)(aclrtEvent, aclrtStream) = real[EVENT_RECORD];

	return call(event, stream);
}

static int query(void *const *real, void *event)
{
	aclError (*call)(aclrtEvent, aclrtEventRecordedStatus *) = real[EVENT_QUERY];
	aclrtEventRecordedStatus status = 0; /* 1: complete */

	return call(event, &status) ? -1 : status == 1;
}

static int elapsed(void *const *real, float *ms, void *from, void *to)
{
	aclError (*call)(float *, aclrtEvent, aclrtEvent) = real[EVENT_ELAPSED];

	return call(ms, from, to);
}

static int timestamp(void *const *real, void *event, uint64_t *ns)
{
	aclError (*call)(aclrtEvent, uint64_t *) = real[EVENT_TIMESTAMP];
	uint64_t us = 0;
	aclError rc = call(event, &us);

	*ns = us * US;
	return rc;
}

static int capture(void *const *real, void *stream)
{
	aclError (*call)(aclrtStream, aclmdlRICaptureStatus *, aclmdlRI *) = real[EVENT_CAPTURE];
	aclmdlRICaptureStatus status = 0; /* none */
	aclmdlRI graph = NULL;

	return call(stream, &status, &graph) ? -1 : !!status;
}

static uint32_t events_left(void)
{
	static _Atomic(void *) cache;
	aclError (*left)(uint32_t *) = hook_vendor(&cache, "aclrtGetEventAvailNum"); /* newer than 8.1.RC1 */
	uint32_t n;

	return left && !left(&n) ? n : UINT32_MAX;
}

/* ---- others who measure ---- */

static bool aside(void)
{
	return other_profilers_run(OTHER_PROFILER | OTHER_PROFILING);
}

/* What is done by now is still ours. */
static void make_way(void)
{
	struct slow_path guard;

	harvest_times(&ascend_times, NO_STREAM);
	guard = slow_path_begin();
	record_tool_stop(&mspti_tool);
	slow_path_end(guard);
}

void ascend_times_started(void)
{
	other_profilers_make_way = make_way;
}

static const struct event_calls calls = {
	.find = find,
	.create = create,
	.destroy = destroy,
	.record = record,
	.query = query,
	.elapsed = elapsed,
	.timestamp = timestamp,
	.capture = capture,
	.events_left = events_left,
	.aside = aside,
};

struct vendor_times ascend_times = { .streams = &ascend_streams, .calls = &calls, .tool = &mspti_tool };
