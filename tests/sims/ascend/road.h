/* road.h - how the vendor's own libraries launch kernels: on the road that SIM_LAUNCH says. */
#pragma once
#include "tests/sims/lib/sim.h"

/* new (or not set): aclrtLaunchKernelWithHostArgs; old: rtKernelLaunchWithHandleV2 on a binary that is made for it. */
int road_launch(struct sim_function *kernel, void **binary, const void *args, size_t size, aclrtStream stream);
