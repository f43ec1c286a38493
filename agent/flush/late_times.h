/*
 * late_times.h - device times that come when the next window has begun already. Their slots lie behind its first calls and go into its
 * file; the window whose calls they are of has a copy of them in its own, so that each file says by itself what it can.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "agent/format/encode.h"

/* A file begins: what the rings hold from here on may be its calls. */
void late_times_begin(void);

/* The file ends: copies of what came for it. The payload is made by e in `size` bytes of raw. */
void late_times_put(struct encoder *e, uint8_t *raw, size_t size);
