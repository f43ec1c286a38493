/* vendor.c - HIP among the vendors: what it does besides its rows. */
#include "hooks/capture/streams/thread_streams.h"
#include "hooks/hip/time.h"
#include "hooks/hip/tracking/tracking.h"
#include "hooks/link/vendor.h"

static void thread_ends(void)
{
	thread_streams_end(&hip_streams);
}

const struct vendor hip_vendor = {
	.name = "hip",
	.times = &hip_times,
	.companions = "librccl",
	.thread_ends = thread_ends,
};
