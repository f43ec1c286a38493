#include "analysis/util/timeline.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/sorted.h"

static int by_from(const void *a, const void *b)
{
	const struct knot *x = a, *y = b;

	return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
				  : (x->to > y->to) - (x->to < y->to);
}

static uint64_t rate_between(const struct knot *a, const struct knot *b)
{
	unsigned __int128 rate = ((unsigned __int128)(b->to - a->to) << 48) / (b->from - a->from);

	return rate > UINT64_MAX ? UINT64_MAX : (uint64_t)rate;
}

static bool later(const struct knot *a, const struct knot *b)
{
	return b->from > a->from && b->to > a->to;
}

static bool trusted(const struct knot *a, const struct knot *b)
{
	return (b->to - a->to) / 1000 >= a->width + b->width;
}

/* Returns how many knots stay, at the front. */
static size_t thin(struct knot *knots, size_t count, uint64_t spacing)
{
	struct knot last = knots[count - 1], *end = knots;

	for (size_t i = 1; i < count; i++) {
		if (!later(end, &knots[i]))
			continue;
		if (knots[i].to - end->to >= spacing && trusted(end, &knots[i]))
			*++end = knots[i];
		else if (knots[i].width < end->width)
			*end = knots[i];
	}

	/* The longest base gives the best rate: the last one takes the place of a near one. */
	if (later(end, &last) && end == knots && trusted(end, &last))
		*++end = last;
	else if (later(end, &last) && end != knots && last.width <= end->width)
		*end = last;
	return (size_t)(end - knots) + 1;
}

static void sort(struct timeline *t)
{
	qsort(t->knots, t->count, sizeof(*t->knots), by_from);
}

/* A trace may tell of any number of pairs: of those that stand closest together some go. */
static void halve(struct timeline *t)
{
	sort(t);
	for (uint64_t spacing = 1; t->count > TIMELINE_MAX / 2; spacing *= 2)
		t->count = thin(t->knots, t->count, spacing);
}

void timeline_add(struct timeline *t, uint64_t from, uint64_t to, uint64_t width)
{
	if (t->count == TIMELINE_MAX)
		halve(t);
	if (t->count == t->capacity) {
		t->capacity = t->capacity ? 2 * t->capacity : 16;
		t->knots = alloc_grow(t->knots, t->capacity, sizeof(*t->knots));
	}
	t->knots[t->count++] = (struct knot){ .from = from, .to = to, .width = width };
}

void timeline_finish(struct timeline *t, uint64_t spacing, uint64_t alone)
{
	if (!t->count)
		return;

	sort(t);
	t->count = thin(t->knots, t->count, spacing);
	t->reach = 0;
	t->rate = alone;
	if (t->count > 1)
		t->rate = rate_between(&t->knots[0], &t->knots[t->count - 1]);
	for (size_t i = 0; i < t->count; i++)
		t->knots[i].rate = i + 1 < t->count ? rate_between(&t->knots[i], &t->knots[i + 1])
						    : t->rate;
}

/* The last knot that is not behind `from`. */
static size_t knot_before(const struct timeline *t, uint64_t from)
{
	size_t begun = SORTED_UP_TO(from, t->knots, from, t->count);

	return begun ? begun - 1 : 0;
}

/* The slow way, which makes the next conversion quick if it is of a number nearby. */
uint64_t timeline_find(struct timeline *t, uint64_t from)
{
	size_t i = knot_before(t, from);

	if (t->count && from < t->knots[0].from)
		return t->knots[0].to - timeline_scale(t->knots[0].from - from, t->rate);
	t->last = t->count ? t->knots[i] : (struct knot){ .rate = TIMELINE_ONE };
	t->reach = (i + 1 < t->count ? t->knots[i + 1].from : UINT64_MAX) - t->last.from;
	return t->last.to + timeline_scale(from - t->last.from, t->last.rate);
}

void timeline_free(struct timeline *t)
{
	free(t->knots);
	*t = (struct timeline){ 0 };
}
