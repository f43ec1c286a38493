#include "analysis/util/spans.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/parcel.h"

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
			s->list = alloc_grow(s->list, s->capacity, sizeof(*s->list));
		}
	}
	s->unsorted |= s->count && begin <= s->list[s->count - 1].end;
	s->list[s->count++] = (struct span){ begin, end };
}

/* The one that goes on first, and until where none of the others does. NULL: none goes on. */
static struct spans *first_of(struct spans *sets, size_t count, uint64_t *until)
{
	struct spans *first = NULL;
	uint64_t begin = UINT64_MAX;

	*until = UINT64_MAX;
	for (struct spans *s = sets; s < sets + count; s++) {
		if (s->next == s->count)
			continue;
		if (first && s->list[s->next].begin >= begin) {
			*until = s->list[s->next].begin < *until ? s->list[s->next].begin : *until;
			continue;
		}
		if (first)
			*until = begin;
		first = s;
		begin = s->list[s->next].begin;
	}
	return first;
}

/* Every piece of work in a trace passes here: of its set it is told apart from the others once a stretch, not once each. */
uint64_t spans_union(struct spans *sets, size_t count, struct spans *between)
{
	uint64_t total = 0, end = 0, until;
	struct spans *s;

	for (size_t i = 0; i < count; i++) {
		if (sets[i].unsorted)
			merge(&sets[i]);
		sets[i].next = 0;
	}
	while ((s = first_of(sets, count, &until))) {
		const struct span *span = &s->list[s->next], *last = &s->list[s->count];

		do {
			if (span->end <= end)
				continue;
			if (between && span->begin > end)
				spans_add(between, end, span->begin);
			total += span->end - (span->begin > end ? span->begin : end);
			end = span->end;
		} while (++span < last && span->begin <= until);
		s->next = (size_t)(span - s->list);
	}
	if (between)
		spans_add(between, end, UINT64_MAX);
	return total;
}

void spans_parcel(struct parcel *p, struct spans *s)
{
	if (s->unsorted)
		merge(s);
	for (size_t i = 0; parcel_has(p, i, &s->list, &s->count, sizeof(*s->list)); i++) {
		uint64_t before = i ? s->list[i - 1].end : 0, gap = s->list[i].begin - before, length = s->list[i].end - s->list[i].begin;

		PARCEL(p, gap);
		PARCEL(p, length);
		s->list[i].begin = before + gap;
		s->list[i].end = s->list[i].begin + length;
		p->broken |= s->list[i].begin < before || s->list[i].end <= s->list[i].begin;
	}
	s->capacity = p->opened ? s->count : s->capacity;
}

void spans_free(struct spans *s)
{
	free(s->list);
	*s = (struct spans){ 0 };
}
