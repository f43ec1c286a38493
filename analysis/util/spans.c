#include "analysis/util/spans.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/parcel.h"
#include "analysis/util/sorted.h"

static int by_begin(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Of the first ones, that are sorted. */
static size_t first_behind(const struct spans *s, size_t count, uint64_t ns)
{
	return SORTED_UP_TO(ns, s->list, end, count);
}

size_t spans_at(const struct spans *s, uint64_t ns)
{
	return first_behind(s, s->count, ns);
}

uint64_t spans_left_free(const struct spans *s, uint64_t begin, uint64_t end)
{
	uint64_t sum = 0;

	for (size_t i = spans_at(s, begin); i < s->count && s->list[i].begin < end; i++) {
		sum += s->list[i].begin > begin ? s->list[i].begin - begin : 0;
		begin = s->list[i].end;
	}
	return sum + (end > begin ? end - begin : 0);
}

/* Where the first of the new ones may begin, or touch one that is sorted. */
static size_t first_touched(const struct spans *s)
{
	uint64_t begin = UINT64_MAX;

	for (size_t i = s->sorted; i < s->count; i++)
		begin = s->list[i].begin < begin ? s->list[i].begin : begin;
	return first_behind(s, s->sorted, begin ? begin - 1 : 0);
}

void spans_sort(struct spans *s)
{
	size_t kept;

	if (s->sorted == s->count)
		return;
	kept = first_touched(s);
	qsort(s->list + kept, s->count - kept, sizeof(*s->list), by_begin);
	for (size_t i = kept + 1; i < s->count; i++) {
		struct span *last = &s->list[kept];

		if (s->list[i].begin > last->end)
			s->list[++kept] = s->list[i];
		else if (s->list[i].end > last->end)
			last->end = s->list[i].end;
	}
	s->count = s->sorted = kept + 1;
}

uint64_t spans_total(struct spans *s)
{
	uint64_t total = 0;

	spans_sort(s);
	for (size_t i = 0; i < s->count; i++)
		total += s->list[i].end - s->list[i].begin;
	return total;
}

void spans_add_any(struct spans *s, uint64_t begin, uint64_t end)
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
		spans_sort(s);
		if (2 * s->count >= s->capacity) {
			s->capacity = s->capacity ? 2 * s->capacity : 16;
			s->list = alloc_grow(s->list, s->capacity, sizeof(*s->list));
		}
	}
	s->sorted += s->sorted == s->count && (!s->count || begin > s->list[s->count - 1].end);
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
		spans_sort(&sets[i]);
		sets[i].next = sets[i].total = 0;
	}
	while ((s = first_of(sets, count, &until))) {
		const struct span *span = &s->list[s->next], *last = &s->list[s->count];

		do {
			s->total += span->end - span->begin;
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
	spans_sort(s);
	for (size_t i = 0; parcel_has(p, i, &s->list, &s->count, sizeof(*s->list)); i++) {
		uint64_t before = i ? s->list[i - 1].end : 0, gap = s->list[i].begin - before, length = s->list[i].end - s->list[i].begin;

		PARCEL(p, gap);
		PARCEL(p, length);
		s->list[i].begin = before + gap;
		s->list[i].end = s->list[i].begin + length;
		p->broken |= s->list[i].begin < before || s->list[i].end <= s->list[i].begin;
	}
	s->sorted = s->count;
	s->capacity = p->opened ? s->count : s->capacity;
}

void spans_free(struct spans *s)
{
	free(s->list);
	*s = (struct spans){ 0 };
}
