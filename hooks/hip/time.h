/* time.h - device times of HIP, by pairs of events: hooks/capture/pairs tells of them. */
#pragma once
#include "hooks/capture/pairs/vendor_times.h"

extern struct vendor_times hip_times OURS;
