#include "analysis/why/items.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/sorted.h"

#define RESERVED_MOST (1u << 18) /* what a file says may be any number */

void items_begin(struct items *s, size_t count)
{
	s->count = 0;
	if (count > RESERVED_MOST)
		count = RESERVED_MOST;
	if (count <= s->capacity)
		return;
	free(s->list);
	s->capacity = count;
	s->list = alloc_grow(NULL, count, sizeof(*s->list));
}

struct item *items_add(struct items *s, uint64_t begin, uint64_t end, uint32_t subject)
{
	if (s->count == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 256;
		s->list = alloc_grow(s->list, s->capacity, sizeof(*s->list));
	}
	s->list[s->count] = (struct item){ .begin = begin, .end = end, .subject = subject };
	return &s->list[s->count++];
}

static int by_begin(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

void items_sort(struct items *s)
{
	for (size_t i = 1; i < s->count; i++)
		if (by_begin(&s->list[i - 1], &s->list[i]) > 0) {
			qsort(s->list, s->count, sizeof(*s->list), by_begin);
			return;
		}
}

size_t items_from(const struct items *s, uint64_t ns)
{
	return ns ? SORTED_UP_TO(ns - 1, s->list, begin, s->count) : 0;
}

#define LOOKED_AT 256 /* back from the last that begins before: so deep they nest, with their neighbours; and ahead */

static bool takes_most(const struct item *one, uint64_t begin, uint64_t end)
{
	uint64_t from = one->begin > begin ? one->begin : begin, to = one->end < end ? one->end : end;

	return to > from && to - from >= (end - begin) - (end - begin) / 10;
}

const struct item *items_around(const struct items *s, uint64_t begin, uint64_t end)
{
	size_t behind = items_from(s, begin + 1);

	for (size_t i = 0; i < LOOKED_AT && i < behind; i++)
		if (s->list[behind - 1 - i].end >= end)
			return &s->list[behind - 1 - i];
	for (size_t i = behind < LOOKED_AT ? 0 : behind - LOOKED_AT; i < behind + LOOKED_AT && i < s->count && s->list[i].begin < end; i++)
		if (takes_most(&s->list[i], begin, end))
			return &s->list[i];
	return NULL;
}

void items_lay(struct segments *all, const struct items *s, unsigned int layers)
{
	struct segments one = { 0 }, room = { 0 };

	all->count = 0;
	for (unsigned int layer = 0; layer < layers; layer++) {
		one.count = 0;
		for (uint32_t i = 0; i < s->count; i++)
			if (s->list[i].layer == layer)
				segments_add(layer ? &one : all, s->list[i].begin, s->list[i].end, i);
		if (one.count)
			segments_lay_over(all, &one, &room);
	}
	segments_free(&one);
	segments_free(&room);
}

void items_free(struct items *s)
{
	free(s->list);
	*s = (struct items){ 0 };
}
