/* below.h - AscendCL as one library stands on libruntime's functions, as a thin one it does the work itself. */
#pragma once
#include "tests/sims/ascend/declare.h"
#include "tests/sims/lib/sim.h"

#ifdef SIM_OVER_RT
#define BELOW(rt, own) (rt)
#else
#define BELOW(rt, own) (own)
#endif
