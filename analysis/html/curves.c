#include "analysis/html/curves.h"

static void thin(struct curve *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->count; i += 4) {
		size_t low = i, high = i;

		for (size_t k = i; k < i + 4 && k < c->count; k++) {
			low = c->list[k].value < c->list[low].value ? k : low;
			high = c->list[k].value > c->list[high].value ? k : high;
		}
		c->list[kept++] = c->list[low < high ? low : high];
		if (low != high)
			c->list[kept++] = c->list[low < high ? high : low];
	}
	c->count = kept;
}

void curve_take(struct curve *c, uint64_t ns, uint64_t value, size_t most)
{
	if (c->count >= 2 * most)
		thin(c);
	if (c->count == c->capacity) {
		c->capacity = c->capacity ? 2 * c->capacity : 64;
		c->list = alloc_grow(c->list, c->capacity, sizeof(*c->list));
	}
	c->list[c->count++] = (struct point){ ns, value };
}

void curve_encode(const struct curve *c, uint64_t base, struct bytes *to)
{
	uint64_t before = 0;

	for (size_t i = 0; i < c->count; i++) {
		bytes_signed(to, (int64_t)(c->list[i].ns - base));
		bytes_signed(to, (int64_t)(c->list[i].value - before));
		base = c->list[i].ns;
		before = c->list[i].value;
	}
}
