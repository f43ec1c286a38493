/* host_clock.h - this machine's clocks, as an agent on it would have read them. */
#pragma once
#include <stdint.h>

#include "analysis/session/chunk_writer.h"

/* kind is an enum clock_kind. */
void host_clock_triple(uint32_t kind, struct clock_reading *now);

/* Seconds since `ticks`; negative: cannot be told. */
double host_clock_since(uint32_t kind, uint64_t ticks, uint64_t tick_hz);
