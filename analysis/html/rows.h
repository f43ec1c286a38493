/*
 * rows.h - slices that never cross, as a row of the page shows them: the calls of a thread at one depth, the work of a stream. Short ones that
 * stand next to each other may become one, so that a row has no more than can be seen.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/html/bytes.h"
#include "analysis/html/names.h"

struct slice {
	uint64_t begin, length; /* ns */
	uint64_t busy;		/* of the length: in a slice */
	uint64_t longest;	/* of those that it was made of; */
	uint32_t kind;		/* is that one's */
	uint32_t count;		/* 1: it is one itself */
};

struct row {
	size_t count, capacity;
	struct slice *list;
	bool unsorted;
};

/* Slices shorter than this become one with neighbours that are no further away than this. 0: none does. Returns how many came to be: 0 or 1. */
size_t row_push(struct row *r, const struct slice *s, uint64_t resolution);

/* By begin; and once more with this resolution, in place. */
void row_sort(struct row *r);
void row_merge(struct row *r, uint64_t resolution);

/* The same into another row, which is empty. */
void row_merge_into(struct row *to, const struct row *from, uint64_t resolution);

/*
 * As numbers, one slice behind the other: its begin less the end of the one before (of the first: less base), its length, twice the place of its kind; where it was made of several
 * 1 more, their count and the share of 255 that was busy. A mark has length 0.
 */
void row_encode(const struct row *r, uint64_t base, const struct names *names, struct bytes *to);
