/* harvest.h - reading device times when the program itself has waited. */
#pragma once
#include "agent/session/settings.h"
#include "hooks/capture/device_times.h"
#include "hooks/capture/pairs/timed_streams.h"

#define SEEN 16
struct harvest {
	struct timings waiting; /* calls with events around them */

	/* What is read of a stream's times comes in its order: [1] operators and collectives, [0] what may be inside of them. */
	uint64_t read_until[STREAMS][2];

	/* Of the one who reads: what a look at one call tells of the next in its stream. */
	atomic_flag busy;
	struct seen {
		uint16_t stream;
		enum { ALL_DONE, /* its newest work is, and so is all before it */
		       ONE_BY_ONE,
		       LATE } state;
	} seen[SEEN];
	unsigned int seen_count;
	struct pairs_pool *reading; /* calls of other contexts are left to threads of theirs */
};

/* The program has waited for a stream (NO_STREAM: for all): reads the times of work that is done. */
void harvest_times(struct vendor_times *of, void *stream);

ALWAYS_INLINE void harvest_waited(struct vendor_times *of, void *stream)
{
	if (UNLIKELY(settings.contents & CONTENT_DEVICE))
		harvest_times(of, stream);
}

/* Before the real end. */
void harvest_stream_ends(struct vendor_times *of, void *stream);
void harvest_context_ends(struct vendor_times *of, const void *context);
void harvest_device_ends(struct vendor_times *of, int32_t number);

/* Behind it: the context's events are no more. */
void harvest_context_gone(struct vendor_times *of, const void *context);
