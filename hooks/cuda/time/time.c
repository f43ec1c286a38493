/*
 * time.c - what the driver is asked for: its own functions, in the caller's context, which leave the runtime's last error alone.
 * While a capture runs anywhere, or may begin while we ask, our thread is in the mode in which it disturbs none.
 */
#include "hooks/cuda/time/time.h"
#include "hooks/capture/runtime/events.h"
#include "hooks/capture/streams/captures.h"
#include "hooks/cuda/time/cupti.h"
#include "hooks/cuda/tracking/tracking.h"
#include "hooks/link/resolve.h"

static bool find(void **real)
{
	static const struct event_names names = { "cuEventCreate", "cuEventDestroy_v2", "cuEventRecord", "cuEventQuery", "cuEventElapsedTime", "cuStreamIsCapturing" };
	static struct events_found found;

	return events_find(&names, &found, real);
}

static int exchange_mode(int mode)
{
	static _Atomic(void *) cache;

	return events_exchange_mode(hook_vendor(&cache, "cuThreadExchangeStreamCaptureMode"), mode); /* since 10.1 */
}

static int enter(bool asks)
{
	return asks || captures_any(&cuda_streams) ? exchange_mode(CAPTURE_MODE_RELAXED) : -1;
}

static void leave(int kept)
{
	if (kept >= 0)
		exchange_mode(kept);
}

static const struct event_calls calls = {
	.find = find,
	EVENTS_OF_RUNTIMES,
	.enter = enter,
	.leave = leave,
};

struct vendor_times cuda_times = { .streams = &cuda_streams, .calls = &calls, .tool = &cupti_tool };
