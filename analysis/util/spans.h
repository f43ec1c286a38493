/* spans.h - how much time a set of intervals covers, overlaps counted once. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
	uint64_t begin, end;
};

struct spans {
	size_t count, capacity;
	struct span *list;
	size_t next;   /* spans_union() is there */
	bool unsorted; /* else by begin, and none overlaps the next */
};

void spans_add(struct spans *s, uint64_t begin, uint64_t end);

/* Sorts and merges; returns what is covered. */
uint64_t spans_total(struct spans *s);

/*
 * What at least one of them covers. Sorts and merges each first, then goes through them side by side. between: gets what none covers,
 * from 0 to UINT64_MAX; NULL: nobody asks.
 */
uint64_t spans_union(struct spans *sets, size_t count, struct spans *between);

/* Packed, or opened. */
struct parcel;
void spans_parcel(struct parcel *p, struct spans *s);
void spans_free(struct spans *s);
