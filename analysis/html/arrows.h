/* arrows.h - from calls to what the device did for them, each end told by itself. */
#pragma once
#include <stdbool.h>

#include "analysis/html/bytes.h"
#include "analysis/util/out.h"

struct arrow_end {
	uint64_t id, ns;
	uint32_t row;
	bool ends;
};

struct arrows {
	struct arrow_end *list;
	size_t count, capacity;
	uint64_t over; /* ends that found no room */
	size_t kept;   /* arrows that are written */
	uint64_t left_out;
};

void arrows_take(struct arrows *a, uint64_t id, bool ends, uint32_t row, uint64_t ns);

/*
 * Joins the ends, and writes (JSON) [row, row, offset, count] for each pair of rows that arrows lead from and to; at the offset numbers: the begin of an
 * arrow less that of the one before, and its end less its begin. shown: by row; NULL: all are. most: bytes.
 */
void arrows_put(struct arrows *a, uint64_t base, const bool *shown, struct bytes *to, size_t most, struct out *o);
void arrows_free(struct arrows *a);
