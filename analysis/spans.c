#include "analysis/spans.h"

#include <stdlib.h>

#include "analysis/memory.h"

static int by_begin(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

static void merge(struct spans *s)
{
	size_t kept = 0;

	qsort(s->list, s->count, sizeof(*s->list), by_begin);
	for (size_t i = 1; i < s->count; i++) {
		struct span *last = &s->list[kept];

		if (s->list[i].begin > last->end)
			s->list[++kept] = s->list[i];
		else if (s->list[i].end > last->end)
			last->end = s->list[i].end;
	}
	s->count = kept + 1;
	s->unsorted = false;
}

uint64_t spans_total(struct spans *s)
{
	uint64_t total = 0;

	if (s->unsorted)
		merge(s);
	for (size_t i = 0; i < s->count; i++)
		total += s->list[i].end - s->list[i].begin;
	return total;
}

void spans_add(struct spans *s, uint64_t begin, uint64_t end)
{
	struct span *last;

	if (end <= begin)
		return;
	/* What touches the interval before needs no room of its own. */
	last = s->count ? &s->list[s->count - 1] : NULL;
	if (last && begin >= last->begin && begin <= last->end) {
		if (end > last->end)
			last->end = end;
		return;
	}
	if (s->count == s->capacity) {
		spans_total(s);
		if (2 * s->count >= s->capacity) {
			s->capacity = s->capacity ? 2 * s->capacity : 16;
			s->list = memory_grow(s->list, s->capacity, sizeof(*s->list));
		}
	}
	s->unsorted |= s->count && begin <= s->list[s->count - 1].end;
	s->list[s->count++] = (struct span){ begin, end };
}

uint64_t spans_union(const struct spans *a, const struct spans *b)
{
	uint64_t total = 0, end = 0;
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		bool first = k == b->count || (i < a->count && a->list[i].begin < b->list[k].begin);
		const struct span *next = first ? &a->list[i++] : &b->list[k++];
		uint64_t begin = next->begin > end ? next->begin : end;

		if (next->end <= begin)
			continue;
		total += next->end - begin;
		end = next->end;
	}
	return total;
}

void spans_free(struct spans *s)
{
	free(s->list);
	*s = (struct spans){ 0 };
}
