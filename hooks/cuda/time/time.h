/* time.h - device times of CUDA, by pairs of events: hooks/capture/pairs tells of them. */
#pragma once
#include "hooks/capture/pairs/vendor_times.h"
#include "hooks/cuda/abi/abi.h"

extern struct vendor_times cuda_times OURS;
