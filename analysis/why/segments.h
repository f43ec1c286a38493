/* segments.h - which of several things fills which part of time: parts that do not overlap, by begin. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct segment {
	uint64_t begin, end; /* ns */
	uint32_t owner;
};

struct segments {
	size_t count, capacity;
	struct segment *list;
};

/* Of things that come by begin: what one before it covers stays that one's. */
void segments_add(struct segments *s, uint64_t begin, uint64_t end, uint32_t owner);

/* Adds what `s` leaves uncovered of `below`; room: what it takes meanwhile. */
void segments_lay_over(struct segments *s, const struct segments *below, struct segments *room);

/* The first that ends behind this moment; count: none does. */
size_t segments_find(const struct segments *s, uint64_t ns);
void segments_free(struct segments *s);
