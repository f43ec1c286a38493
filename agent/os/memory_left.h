/* memory_left.h - what the process's memory cgroup still has. */
#pragma once
#include <stdint.h>

/*
 * Bytes until the least limit of the cgroups that this process is in; UINT64_MAX: there is none. Pages of files that nobody has
 * used of late count as free: the kernel takes them back first. Opens files.
 */
uint64_t memory_left(void);
