#include "analysis/compare/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/compare/numbers.h"
#include "analysis/compare/roles.h"
#include "analysis/util/alloc.h"

#define SPREADS_TO_TELL 3
#define LEAST_OF	100 /* parts of A's step: less than one is no change */

/* Of what differs by so much on both sides. Where too few steps tell how much, it is as much as on the other one. */
static int64_t noise_of(const struct comparison *c, int64_t a, int64_t b)
{
	int64_t noise_a = side_knows_spread(&c->sides[SIDE_A]) ? a : b, noise_b = side_knows_spread(&c->sides[SIDE_B]) ? b : a;
	int64_t noise = (int64_t)(SPREADS_TO_TELL * hypot((double)noise_a, (double)noise_b)), least = c->length[SIDE_A].median / LEAST_OF;

	return noise > least ? noise : least;
}

/* Sums up to those of all. */
static struct row total_row(const struct comparison *c)
{
	struct row total = { .kind = WHY_UNEXPLAINED, .joined = JOINED_TOTAL };

	for (unsigned int i = 0; i < SIDES; i++) {
		total.sides[i].ns = c->length[i].median;
		for (size_t k = 0; k < c->rows.count; k++)
			total.sides[i].ns -= c->rows.list[k].sides[i].ns;
	}
	return total;
}

static void tell_changes(struct comparison *c)
{
	for (size_t i = 0; i < c->rows.count; i++) {
		struct row *row = &c->rows.list[i];
		const struct row_side *a = &row->sides[SIDE_A], *b = &row->sides[SIDE_B];

		row->change = b->ns - a->ns;
		row->beyond_noise = c->noise_known && row->joined != JOINED_TOTAL && llabs(row->change) > noise_of(c, a->noise, b->noise);
		c->marked += row->beyond_noise;
	}
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	long long by = llabs(x->change), other = llabs(y->change);

	if (by != other)
		return by < other ? 1 : -1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	for (unsigned int i = 0; i < SIDES; i++)
		if (x->sides[i].subject != y->sides[i].subject)
			return x->sides[i].subject < y->sides[i].subject ? -1 : 1;
	return 0;
}

void comparison_make(struct comparison *c, const struct side sides[SIDES])
{
	struct rows *r = &c->rows;

	c->sides = sides;
	for (unsigned int i = 0; i < SIDES; i++)
		c->length[i] = side_length(&sides[i]);
	c->change = c->length[SIDE_B].median - c->length[SIDE_A].median;
	c->noise_known = side_knows_spread(&sides[SIDE_A]) || side_knows_spread(&sides[SIDE_B]);
	c->noise = noise_of(c, c->length[SIDE_A].noise, c->length[SIDE_B].noise);
	rows_make(r, sides);
	numbers_fill(r, sides);
	roles_join(r);
	r->list = alloc_grow(r->list, r->count + 1, sizeof(*r->list));
	r->list[r->count] = total_row(c);
	r->count++;
	tell_changes(c);
	qsort(r->list, r->count, sizeof(*r->list), most_first);
}

void comparison_free(struct comparison *c)
{
	rows_free(&c->rows);
}
