#include "analysis/trace/position_map.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"

void marks_put(struct marks *m, uint32_t ring, uint64_t position, uint64_t value)
{
	struct marked_ring *r;
	const struct mark *last;

	if (m->count == MARKS_MAX)
		marks_free(m);
	r = table_put(&m->rings, ring & UINT16_MAX);
	last = r->count ? &r->list[r->count - 1] : NULL;
	if (last && (position < last->position + m->spacing || value == last->value))
		return;
	if (r->count == r->capacity) {
		r->capacity = r->capacity ? 2 * r->capacity : 16;
		r->list = memory_grow(r->list, r->capacity, sizeof(*r->list));
	}
	r->list[r->count++] = (struct mark){ position, value };
	m->count++;
}

const struct mark *marks_find(const struct marks *m, uint16_t ring, uint32_t slot)
{
	const struct marked_ring *r = table_find(&m->rings, ring);
	uint64_t last, position;
	size_t low = 0, high;

	if (!r || !r->count)
		return NULL;
	last = r->list[r->count - 1].position;
	position = last + (uint64_t)(int32_t)(slot - (uint32_t)last);
	for (high = r->count; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (r->list[middle].position <= position)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &r->list[low - 1] : NULL;
}

void marks_free(struct marks *m)
{
	for (size_t i = 0; i < m->rings.count; i++)
		free(((struct marked_ring *)table_item(&m->rings, i))->list);
	table_free(&m->rings);
	m->count = 0;
}
