/* harvest.h - reading device times when the program itself has waited. */
#pragma once
#include "agent/session/settings.h"
#include "hooks/ascend/tracking/tracking.h"
#include "hooks/capture/device_times.h"

extern struct timings harvest_waiting OURS; /* calls with events around them */

/* A session has begun: other profilers find us from now on. */
void harvest_started(void);

/* The program has waited for a stream (NO_STREAM: for all): reads the times of work that is done. */
void harvest_times(aclrtStream stream);

ALWAYS_INLINE void harvest_waited(aclrtStream stream)
{
	if (UNLIKELY(settings.contents & CONTENT_DEVICE))
		harvest_times(stream);
}

/* Before the real end. */
void harvest_stream_ends(aclrtStream stream);
void harvest_context_ends(aclrtContext context);
void harvest_device_ends(int32_t number);
