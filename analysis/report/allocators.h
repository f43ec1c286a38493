/* allocators.h - what frameworks' allocators told of the memory that they hand out. */
#pragma once
#include "analysis/trace/live_memory.h"

/* What one told of itself on one device. */
struct allocator_row {
	char *name; /* NULL: it has none */
	uint32_t device;
	struct memory_sum handed_out;
	uint64_t held;	   /* bytes of the largest stock that it told of */
	struct table live; /* uint64_t bytes + 1 by address; empty in the end */
};

/* One piece more, in order of time. */
void allocators_take(struct table *allocators, const struct memory_event *ev);

/* The rows by name and device; the table is empty then. */
struct allocator_row *allocators_hand_over(struct table *allocators, size_t *count);
void allocators_free(struct allocator_row *rows, size_t count);
