/* vendor.c - CUDA among the vendors: what it does besides its rows. */
#include "hooks/capture/streams/thread_streams.h"
#include "hooks/cuda/nccl/nccl.h"
#include "hooks/cuda/nvtx/nvtx.h"
#include "hooks/cuda/time/cupti.h"
#include "hooks/cuda/time/time.h"
#include "hooks/cuda/tracking/tracking.h"
#include "hooks/link/vendor.h"

static void started(void)
{
	cupti_started();
	nccl_started();
}

static void thread_ends(void)
{
	thread_streams_end(&cuda_streams);
	nvtx_thread_ends();
}

const struct vendor cuda_vendor = {
	.name = "cuda",
	.times = &cuda_times,
	.companions = "libnccl",
	.started = started,
	.thread_ends = thread_ends,
};
