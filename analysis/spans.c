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

void spans_add_all(struct spans *s, struct spans *more)
{
	struct spans both = { 0 };
	size_t i = 0, k = 0;

	spans_total(s);
	spans_total(more);
	while (i < s->count || k < more->count) {
		bool mine = k == more->count || (i < s->count && s->list[i].begin <= more->list[k].begin);
		const struct span *next = mine ? &s->list[i++] : &more->list[k++];

		spans_add(&both, next->begin, next->end);
	}
	spans_free(s);
	*s = both;
}

void spans_free(struct spans *s)
{
	free(s->list);
	*s = (struct spans){ 0 };
}
