#include "analysis/trace/position_map.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/sorted.h"

void position_map_put(struct position_map *m, uint32_t ring, uint64_t position, uint64_t value)
{
	struct mapped_ring *r;
	const struct mapped_position *last;

	if (m->count == POSITION_MAP_MAX) {
		m->forgotten += m->count;
		position_map_free(m);
	}
	r = table_put(&m->rings, ring & UINT16_MAX);
	last = r->count ? &r->list[r->count - 1] : NULL;
	if (last && (position < last->position + m->spacing || value == last->value))
		return;
	if (r->count == r->capacity) {
		r->capacity = r->capacity ? 2 * r->capacity : 16;
		r->list = alloc_grow(r->list, r->capacity, sizeof(*r->list));
	}
	r->list[r->count++] = (struct mapped_position){ position, value };
	m->count++;
}

static bool is_between(const struct mapped_ring *r, size_t written, uint64_t position)
{
	return (!written || r->list[written - 1].position <= position) && (written == r->count || position < r->list[written].position);
}

const struct mapped_position *position_map_find(const struct position_map *m, uint16_t ring, uint32_t slot)
{
	struct mapped_ring *r = table_find(&m->rings, ring);
	uint64_t last, position;

	if (!r || !r->count)
		return NULL;
	last = r->list[r->count - 1].position;
	position = last + (uint64_t)(int32_t)(slot - (uint32_t)last);
	if (!is_between(r, r->found, position))
		r->found = SORTED_UP_TO(position, r->list, position, r->count);
	return r->found ? &r->list[r->found - 1] : NULL;
}

void position_map_free(struct position_map *m)
{
	for (size_t i = 0; i < m->rings.count; i++)
		free(((struct mapped_ring *)table_item(&m->rings, i))->list);
	table_free(&m->rings);
	m->count = 0;
}
