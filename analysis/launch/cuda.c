/* cuda.c - what CUDA's programs are told before they run: who hears NVTX. */
#include "analysis/launch/vendor.h"

#include <stddef.h>

/* Each copy of NVTX loads this library at its first call; one that is preloaded is there already. */
static const struct launch_variable variables[] = {
	{ "NVTX_INJECTION64_PATH", "ranges and marks of NVTX go there, and will not be recorded" },
	{ NULL, NULL },
};

const struct launch_vendor cuda_launch = { .variables = variables };
