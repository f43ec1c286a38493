#include "analysis/compare/numbers.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/why/kept.h"

/* What one step spent on one subject of a row. */
struct piece {
	uint32_t row;
	uint32_t step; /* its place among the side's */
	uint64_t ns, count;
	double first;
};

struct pieces {
	size_t count, capacity;
	struct piece *list; /* by row and step */
};

static int by_row(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

static double place_of(const struct why_step *step, const struct share *share)
{
	if (!share->ns)
		return 1;
	return (double)(share->first_at - step->begin) / (double)(step->end - step->begin);
}

static void add(struct pieces *p, struct piece piece)
{
	if (p->count == p->capacity) {
		p->capacity = p->capacity ? 2 * p->capacity : 256;
		p->list = alloc_grow(p->list, p->capacity, sizeof(*p->list));
	}
	p->list[p->count++] = piece;
}

static void collect(struct pieces *p, const struct rows *r, const struct side *s, unsigned int side)
{
	*p = (struct pieces){ 0 };
	for (size_t i = 0; i < s->told; i++) {
		struct table shares = kept_shares(&s->run, s->steps[i]);

		for (size_t k = 0; k < shares.count; k++) {
			const struct share *share = table_item(&shares, k);

			add(p, (struct piece){
				       .row = (uint32_t)(rows_row(r, side, share->subject) - r->list),
				       .step = (uint32_t)i,
				       .ns = share->ns,
				       .count = share->count,
				       .first = place_of(s->steps[i], share),
			       });
		}
		table_free(&shares);
	}
	if (p->count)
		qsort(p->list, p->count, sizeof(*p->list), by_row);
}

/* In the mean of the steps that have it. */
static double first_of(const struct piece *pieces, size_t count)
{
	double sum = 0, least = 1;
	size_t steps = 0;

	for (size_t i = 0; i < count; i++) {
		least = pieces[i].first < least ? pieces[i].first : least;
		if (i + 1 < count && pieces[i + 1].step == pieces[i].step)
			continue;
		sum += least;
		least = 1;
		steps++;
	}
	return sum / (double)steps;
}

/* Of the pieces of one row; values: room for a number of each step. */
static void sum_up(const struct side *s, const struct piece *pieces, size_t count, bool counts, int64_t *values)
{
	for (size_t i = 0; i < s->told; i++)
		values[i] = 0;
	for (size_t i = 0; i < count; i++)
		values[pieces[i].step] += (int64_t)(counts ? pieces[i].count * COUNT_UNIT : pieces[i].ns);
}

static void fill_row(struct row_side *own, const struct side *s, const struct piece *pieces, size_t count, int64_t *values)
{
	struct spread ns;

	sum_up(s, pieces, count, false, values);
	ns = side_mean(s, values);
	own->ns = ns.median;
	own->noise = ns.noise;
	sum_up(s, pieces, count, true, values);
	own->count = side_mean(s, values).median;
	own->first = first_of(pieces, count);
}

void numbers_fill(struct rows *r, const struct side sides[SIDES])
{
	for (unsigned int i = 0; i < SIDES; i++) {
		int64_t *values = alloc_zero(sides[i].told + 1, sizeof(*values));
		struct pieces p;

		collect(&p, r, &sides[i], i);
		for (size_t k = 0, end; k < p.count; k = end) {
			for (end = k + 1; end < p.count && p.list[end].row == p.list[k].row;)
				end++;
			fill_row(&r->list[p.list[k].row].sides[i], &sides[i], &p.list[k], end - k, values);
		}
		free(p.list);
		free(values);
	}
}
