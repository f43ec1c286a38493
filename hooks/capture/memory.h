/* memory.h - how much was allocated at an address: one table for each vendor, a = bytes. */
#pragma once
#include <stddef.h>
#include "agent/record/handles.h"

void memory_new(struct handles *of, const void *address, uint64_t bytes);

/* Before the real release, as the next moment another thread may get the same address. Bytes given back; 0: not known. */
uint64_t memory_end(struct handles *of, const void *address);

uint64_t memory_sum(const size_t *sizes, size_t n);
