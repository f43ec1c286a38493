/*
 * position_map.h - what was in force where in a ring: noted where it changes, asked for by device times, which
 * name a position of a ring by its low 32 bits.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "analysis/util/table.h"

#define MARKS_MAX 262144 /* of all rings: beyond that the older ones are forgotten */

struct mark {
	uint64_t position, value;
};

struct marked_ring {
	size_t count, capacity;
	struct mark *list; /* by position */
};

struct marks {
	struct table rings; /* struct marked_ring by the 16 bits of a ring's id that DEVICE_REF holds */
	size_t count;
	uint64_t spacing; /* marks are at least so far apart: known no better than that */
};

#define MARKS(distance) ((struct marks){ .rings = TABLE(struct marked_ring), .spacing = (distance) })

/* From here on. Nothing is noted where nothing changes, nor behind a later mark. */
void marks_put(struct marks *m, uint32_t ring, uint64_t position, uint64_t value);

/* The last mark at or before a position; of those with these low bits the one nearest to the last mark. NULL: none. */
const struct mark *marks_find(const struct marks *m, uint16_t ring, uint32_t slot);

void marks_free(struct marks *m);
