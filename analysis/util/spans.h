/* spans.h - how much time a set of intervals covers, overlaps counted once. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct span {
	uint64_t begin, end;
};

struct spans {
	size_t count, capacity;
	struct span *list;
	size_t next;	/* spans_union() is there, */
	uint64_t total; /* and has found that they cover so much, until then */
	size_t sorted;	/* so many are by begin, and none overlaps the next */
};

void spans_add_any(struct spans *s, uint64_t begin, uint64_t end);

/* Mostly they come in order, and apart. */
static inline void spans_add(struct spans *s, uint64_t begin, uint64_t end)
{
	if (s->count && s->count == s->sorted && s->count < s->capacity && begin > s->list[s->count - 1].end && end > begin) {
		s->list[s->count] = (struct span){ begin, end };
		s->sorted = ++s->count;
	} else {
		spans_add_any(s, begin, end);
	}
}

/* Sorts and merges: only what was added since the last time, and what it may touch, is looked at. */
void spans_sort(struct spans *s);

/* The first that ends behind this moment; of sorted ones. */
size_t spans_at(const struct spans *s, uint64_t ns);

/* What none of them covers from begin to end; of sorted ones. */
uint64_t spans_left_free(const struct spans *s, uint64_t begin, uint64_t end);

/* Sorts and merges; returns what is covered. */
uint64_t spans_total(struct spans *s);

/*
 * What at least one of them covers; what each does is its total then. Sorts and merges each first, then goes through them side by side.
 * between: gets what none covers, from 0 to UINT64_MAX; NULL: nobody asks.
 */
uint64_t spans_union(struct spans *sets, size_t count, struct spans *between);

/* Packed, or opened. */
struct parcel;
void spans_parcel(struct parcel *p, struct spans *s);
void spans_free(struct spans *s);
