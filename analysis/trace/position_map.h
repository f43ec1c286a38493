/*
 * position_map.h - what was in force where in a ring: noted where it changes, asked for by device times, which
 * name a position of a ring by its low 32 bits.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "analysis/util/table.h"

#define POSITION_MAP_MAX 262144 /* of all rings: beyond that the older ones are forgotten */

struct mapped_position {
	uint64_t position, value;
};

struct mapped_ring {
	size_t count, capacity;
	struct mapped_position *list; /* by position */
	size_t found;		      /* so many were at or before the position asked for last: mostly they are at or before the next one, too */
};

struct position_map {
	struct table rings; /* struct mapped_ring by the 16 bits of a ring's id that DEVICE_REF holds */
	size_t count;
	uint64_t forgotten; /* so many were, as there was no room */
	uint64_t spacing;   /* positions are at least so far apart: known no better than that */
};

#define POSITION_MAP(distance) ((struct position_map){ .rings = TABLE(struct mapped_ring), .spacing = (distance) })

/* From here on. Nothing is noted where nothing changes, nor behind a later found. */
void position_map_put(struct position_map *m, uint32_t ring, uint64_t position, uint64_t value);

/* The last found at or before a position; of those with these low bits the one nearest to the last found. NULL: none. */
const struct mapped_position *position_map_find(const struct position_map *m, uint16_t ring, uint32_t slot);

void position_map_free(struct position_map *m);
