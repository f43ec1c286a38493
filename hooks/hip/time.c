/*
 * time.c - what the runtime is asked for, in the caller's device; the program's last error is as it would be without us
 * (tracking/last_error.h). While a capture runs anywhere, or may begin while we ask, our thread is in the mode in
 * which it disturbs none.
 */
#include "hooks/hip/time.h"
#include "hooks/capture/runtime/events.h"
#include "hooks/capture/streams/captures.h"
#include "hooks/hip/tracking/last_error.h"
#include "hooks/hip/tracking/tracking.h"
#include "hooks/link/resolve.h"

static bool find(void **real)
{
	static const struct event_names names = { "hipEventCreateWithFlags", "hipEventDestroy", "hipEventRecord", "hipEventQuery", "hipEventElapsedTime", "hipStreamIsCapturing" };
	static struct events_found found;

	return events_find(&names, &found, real);
}

static int exchange_mode(int mode)
{
	static _Atomic(void *) cache;

	return events_exchange_mode(hook_vendor(&cache, "hipThreadExchangeStreamCaptureMode"), mode); /* since 5.0 */
}

/* Both in one number: the mode from before, and the error. */
#define MODES 4

static int enter(bool asks)
{
	int error = last_error_now();
	int mode = asks || captures_any(&hip_streams) ? exchange_mode(CAPTURE_MODE_RELAXED) : -1;

	return error * MODES + mode + 1;
}

static void leave(int kept)
{
	exchange_mode(kept % MODES - 1);
	last_error_was(kept / MODES);
}

static const struct event_calls calls = {
	.find = find,
	EVENTS_OF_RUNTIMES,
	.enter = enter,
	.leave = leave,
};

struct vendor_times hip_times = { .streams = &hip_streams, .calls = &calls };
