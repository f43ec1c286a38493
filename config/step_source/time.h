/* time.h - how long a step lasts that is counted by time. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define TIME_LEAST_NS 100000000u /* the clock that is read for it goes on by 1 to 10 ms at a time */

/* 0, or -EINVAL with the reason in why. */
int time_read(const char *argument, uint64_t *ns, char *why, size_t size);
