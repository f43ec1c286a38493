/* encode_units.h - the steps in which a chunk's clocks move. */
#pragma once
#include "agent/format/encode.h"

/* Many clocks move in steps of more than one tick: no need to write what is always 0. */
void encode_choose_units(struct encoder *e, const struct event *slots, size_t n);
