/* curves.h - numbers over time, as memory that is handed out: few enough points, with each highest and lowest one among them. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "analysis/html/bytes.h"

struct point {
	uint64_t ns, value;
};

struct curve {
	char title[128];
	const char *unit;
	size_t count, capacity;
	struct point *list;
};

/* most: points; beyond twice as many, of four the highest and the lowest stay. */
void curve_take(struct curve *c, uint64_t ns, uint64_t value, size_t most);

/* As numbers: the time of a point less that of the one before (of the first: less base), and its value less the one before. */
void curve_encode(const struct curve *c, uint64_t base, struct bytes *to);
