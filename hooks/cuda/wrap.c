/* wrap.c - the exported functions that launch kernels, and their short ways. The runtime's and the driver's others: wrap_calls.c. */
#include "hooks/cuda/words.h"
#include "hooks/cuda/launches.def"

static const struct short_ways cuda_short_ways = { &cuda_kernels, &cuda_streams };
#define SHORT_WAYS cuda_short_ways
#include "hooks/capture/runtime/short_launch.h"
#include "hooks/cuda/launches.def"
