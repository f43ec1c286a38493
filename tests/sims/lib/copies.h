/* copies.h - copies and fills as work of a stream, for AscendCL and for libruntime. */
#pragma once
#include "tests/sims/lib/sim.h"

#define SIM_NOW ((void *)-1) /* no stream: when the call returns it is done */

int sim_copy(void *dst, size_t room, const void *src, size_t bytes, void *stream);
int sim_copy_2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, void *stream);
int sim_fill(void *dst, size_t room, int value, size_t bytes, void *stream);
int sim_fill32(void *dst, size_t room, uint32_t value, size_t n, void *stream);
