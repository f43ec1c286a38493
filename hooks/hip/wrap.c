/* wrap.c - the exported functions of HIP's rows, and the short ways of those that launch kernels. */
#include "hooks/hip/words.h"
#include "hooks/hip/launches.def"
#include "hooks/hip/registration.def"

static const struct short_ways hip_short_ways = { &hip_kernels, &hip_streams };
#define SHORT_WAYS hip_short_ways
#include "hooks/capture/runtime/short_launch.h"
#include "hooks/hip/launches.def"
