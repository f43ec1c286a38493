/* items.h - things that take time: calls on the host, work on the device, ranges that a program marked. */
#pragma once
#include <stdbool.h>

#include "analysis/why/segments.h"

struct item {
	uint64_t begin, end;				     /* ns since the Unix epoch */
	uint64_t at;					     /* of a call: ring and position of its event; of work: those of its call */
	uint64_t bytes, given;				     /* given: of work, when its call had returned; 0: its call is not there */
	uint64_t meeting;				     /* of a collective, and of its work; 0: it is none, or who meets in it is not known (meetings.h) */
	uint32_t subject, tid;				     /* tid: of work that of its call; 0: not known */
	uint32_t work;					     /* of a copy or a collective: the subject of its work. A launch inside of a collective has that one's, too */
	uint8_t layer;					     /* those of lower layers cover it */
	bool has_work : 1, communicates : 1, collective : 1; /* collective: it is one itself, and not made inside of one */
	bool first : 1;					     /* a call whose kernel was not there before in the trace, or its work */
};

struct items {
	size_t count, capacity;
	struct item *list;
};

/* None, with room for so many, of which not all need come: memory that is not used is none. What there was stays room. */
void items_begin(struct items *s, size_t count);

/* A new one at the end, with these; good until the next. */
struct item *items_add(struct items *s, uint64_t begin, uint64_t end, uint32_t subject);

/* By begin, those around others first. They come nearly in order, and often quite. */
void items_sort(struct items *s);

/* Of those in order: the first that begins at this moment, or behind it. */
size_t items_from(const struct items *s, uint64_t ns);

/* The innermost around this time, or else the one that takes nine tenths of it or more; NULL: there is none. */
const struct item *items_around(const struct items *s, uint64_t begin, uint64_t end);

/* Who fills which part of time: the number of an item in the list is its owner. layers: so many there are. */
void items_lay(struct segments *all, const struct items *s, unsigned int layers);
void items_free(struct items *s);
