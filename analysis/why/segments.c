#include "analysis/why/segments.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/sorted.h"

static void put(struct segments *s, uint64_t begin, uint64_t end, uint32_t owner)
{
	if (begin >= end)
		return;
	if (s->count == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 64;
		s->list = alloc_grow(s->list, s->capacity, sizeof(*s->list));
	}
	s->list[s->count++] = (struct segment){ begin, end, owner };
}

void segments_add(struct segments *s, uint64_t begin, uint64_t end, uint32_t owner)
{
	uint64_t covered = s->count ? s->list[s->count - 1].end : 0;

	put(s, begin > covered ? begin : covered, end, owner);
}

void segments_lay_over(struct segments *s, const struct segments *below, struct segments *room)
{
	struct segments before = *s;
	size_t at = 0;

	room->count = 0;
	for (size_t i = 0; i < below->count; i++) {
		struct segment rest = below->list[i];

		for (; at < s->count && s->list[at].begin < rest.end; at++) {
			const struct segment *over = &s->list[at];

			put(room, rest.begin, over->begin, rest.owner);
			if (over->end > rest.end)
				break; /* it lies over the next one, too */
			put(room, over->begin, over->end, over->owner);
			if (over->end > rest.begin)
				rest.begin = over->end;
		}
		if (at < s->count && s->list[at].begin < rest.end)
			rest.begin = rest.end;
		put(room, rest.begin, rest.end, rest.owner);
	}
	for (; at < s->count; at++)
		put(room, s->list[at].begin, s->list[at].end, s->list[at].owner);
	*s = *room;
	*room = before;
}

size_t segments_find(const struct segments *s, uint64_t ns)
{
	return SORTED_UP_TO(ns, s->list, end, s->count);
}

void segments_free(struct segments *s)
{
	free(s->list);
	*s = (struct segments){ 0 };
}
