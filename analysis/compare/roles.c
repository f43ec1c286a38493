#include "analysis/compare/roles.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

#define ROWS_MOST  2000 /* of a kind: with more the table of pairs would be too large */
#define SAME_ROW   100	/* what both have is never given up for a pair of what one has */
#define SAME_SIZES 1

/* The rows of one kind that a side has, by when they first begin. */
struct line {
	size_t count;
	uint32_t *rows;
};

static const struct rows *sorted; /* by by_first(), as qsort() has no context */
static unsigned int sorted_side;

static int by_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double first = sorted->list[x].sides[sorted_side].first, second = sorted->list[y].sides[sorted_side].first;

	if (first < second || first > second)
		return first < second ? -1 : 1;
	return x < y ? -1 : x > y;
}

static struct line line_of(const struct rows *r, enum why_kind kind, unsigned int side)
{
	struct line l = { .rows = alloc_zero(r->count + 1, sizeof(*l.rows)) };

	for (uint32_t i = 0; i < r->count; i++)
		if (r->list[i].kind == kind && r->list[i].sides[side].there)
			l.rows[l.count++] = i;
	sorted = r;
	sorted_side = side;
	qsort(l.rows, l.count, sizeof(*l.rows), by_first);
	return l;
}

static bool has_same_sizes(const struct rows *r, const struct row_side *a, const struct row_side *b)
{
	return !strcmp(subjects_get(&r->names, a->subject)->detail, subjects_get(&r->names, b->subject)->detail);
}

/* What it is worth that these two are the same; 0: they cannot be. */
static double worth(const struct rows *r, uint32_t in_a, uint32_t in_b)
{
	const struct row *one = &r->list[in_a], *other = &r->list[in_b];
	const struct row_side *a = &one->sides[SIDE_A], *b = &other->sides[SIDE_B];
	double apart = a->first < b->first ? b->first - a->first : a->first - b->first;
	bool same_sizes;

	if (in_a == in_b)
		return SAME_ROW;
	if (one->joined != JOINED_NOT || other->joined != JOINED_NOT || a->count != b->count)
		return 0;
	same_sizes = has_same_sizes(r, a, b);
	if (one->kind == WHY_COPY && !same_sizes) /* its direction */
		return 0;
	return 2 - apart + same_sizes * SAME_SIZES;
}

static double most(double a, double b)
{
	return a > b ? a : b;
}

static void join(struct row *one, struct row *other)
{
	one->joined = JOINED_ROLE;
	one->sides[SIDE_B] = other->sides[SIDE_B];
	other->sides[SIDE_B] = (struct row_side){ 0 };
}

/* The pairs that are worth most together, in the order of both lines. */
static void join_lines(struct rows *r, const struct line *a, const struct line *b)
{
	size_t width = b->count + 1;
	double *best = alloc_zero((a->count + 1) * width, sizeof(*best)); /* of the first rows of either */

	for (size_t i = 1; i <= a->count; i++)
		for (size_t k = 1; k <= b->count; k++) {
			double pair = worth(r, a->rows[i - 1], b->rows[k - 1]), without = most(best[(i - 1) * width + k], best[i * width + k - 1]);

			best[i * width + k] = pair > 0 ? most(without, best[(i - 1) * width + k - 1] + pair) : without;
		}
	for (size_t i = a->count, k = b->count; i && k;) {
		if (best[i * width + k] <= best[(i - 1) * width + k]) {
			i--;
		} else if (best[i * width + k] <= best[i * width + k - 1]) {
			k--;
		} else {
			i--, k--;
			if (a->rows[i] != b->rows[k])
				join(&r->list[a->rows[i]], &r->list[b->rows[k]]);
		}
	}
	free(best);
}

static void drop_empty(struct rows *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->count; i++)
		if (r->list[i].joined != JOINED_NOT || r->list[i].sides[SIDE_A].there || r->list[i].sides[SIDE_B].there)
			r->list[kept++] = r->list[i];
	r->count = kept;
}

void roles_join(struct rows *r)
{
	for (unsigned int kind = 0; kind < WHY_KINDS; kind++) {
		struct line a = line_of(r, (enum why_kind)kind, SIDE_A), b = line_of(r, (enum why_kind)kind, SIDE_B);

		if (a.count <= ROWS_MOST && b.count <= ROWS_MOST)
			join_lines(r, &a, &b);
		free(a.rows);
		free(b.rows);
	}
	drop_empty(r);
}
