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
	bool unsorted; /* else by begin, and none overlaps the next */
};

void spans_add(struct spans *s, uint64_t begin, uint64_t end);

/* Sorts and merges; returns what is covered. */
uint64_t spans_total(struct spans *s);

/* Sorts and merges both first; goes through them side by side. */
void spans_add_all(struct spans *s, struct spans *more);
void spans_free(struct spans *s);
