/* allocators.h - what frameworks' allocators told of the memory that they hand out. */
#pragma once
#include "analysis/report/memory_growth.h"
#include "analysis/trace/live_memory.h"
#include "analysis/util/parcel.h"

/* What one told of itself on one device. */
struct allocator_row {
	char *name; /* NULL: it has none */
	uint32_t device;
	struct memory_sum handed_out;
	struct memory_growth growth;
	uint64_t held;	   /* bytes of the largest stock that it told of, */
	uint64_t told;	   /* and the most that it said was handed out of it, what was before the recording included; 0: it did not say */
	struct table live; /* struct live_piece by address; empty in the end */
};

/* One piece more, in order of time. */
void allocators_take(struct table *allocators, const struct memory_event *ev);

/* What it says of all of them. */
void allocators_totals(struct table *allocators, const struct pool *pool, uint64_t allocated, uint64_t reserved);

/* The rows by name and device; the table is empty then. */
struct allocator_row *allocators_hand_over(struct table *allocators, size_t *count);
void allocators_parcel(struct parcel *p, struct allocator_row **rows, size_t *count);

/* As people are told. */
const char *allocators_name(const struct allocator_row *row);
void allocators_free(struct allocator_row *rows, size_t count);
