/* nccl_names.h - HTA and msprof-analyze know communication of a device by nothing but such a name. */
#pragma once

#define COLLECTIVE_BEGINS "nccl"
#define COLLECTIVE_TITLE  "ncclKernel_%s"
