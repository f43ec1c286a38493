/* nccl_names.h - HTA and msprof-analyze know communication of a device by nothing but such a name; of NCCL's own the kernels have it, not the calls. */
#pragma once
#include <stdbool.h>
#include <string.h>

#define COLLECTIVE_TITLE "ncclKernel_%s"

static inline bool collective_has_title(const char *name)
{
	return !strncmp(name, "nccl", 4) && strstr(name, "Kernel");
}
