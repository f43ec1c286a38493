/* devices.h - the device that a stream is on, and its clock. */
#pragma once
#include "analysis/trace/process.h"

/* NULL: nobody said. */
struct device *devices_of_stream(const struct process *p, uint16_t stream);

/* ns since the Unix epoch of ns on the device's clock. */
uint64_t devices_time(struct process *p, struct device *device, uint64_t device_ns);
