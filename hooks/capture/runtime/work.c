#include "hooks/capture/runtime/work.h"
#include "agent/os/safe_read.h"
#include "hooks/capture/streams/captures.h"

bool work_is_captured(struct vendor_times *of, void *stream)
{
	void *real[EVENT_FUNCTIONS] = { NULL };
	struct asking asking;
	bool is_captured;

	if (stream == NO_STREAM)
		return false;
	asking = asking_begin(of->calls);
	of->calls->find(real); /* what it has of them */
	is_captured = real[EVENT_CAPTURE] && of->calls->capture(real, stream) > 0;
	asking_end(of->calls, asking);
	return is_captured;
}

void *work_stream_at(void *const *place)
{
	return safe_read(place, sizeof(*place)) ? *place : NO_STREAM;
}

void *work_device_ends(struct vendor_times *of, int32_t number)
{
	void *its = contexts_of_device(of->streams, number);

	harvest_device_ends(of, number);
	return its;
}

void work_context_ended(struct vendor_times *of, const void *context)
{
	if (context == NO_CONTEXT)
		return;
	captures_context_ends(of->streams, context);
	contexts_end(of->streams, context);
}

void work_context_gone(struct vendor_times *of, const void *context)
{
	harvest_context_gone(of, context);
	work_context_ended(of, context);
}
