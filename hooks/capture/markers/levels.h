/* levels.h - ranges that nest in a thread, and have levels instead of numbers. */
#pragma once
#include <stdint.h>

/* Of a thread and a domain. Where a thread's own memory is tells it from the others that live. */
uint64_t level_key(const void *domain);

/* Number of the range of this level, of which the thread has one at a time; below 0: none is open, 0. */
uint64_t level_number(const void *domain, int level);
