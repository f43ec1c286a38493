#include "analysis/report/memory_growth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/dropped_steps.h"
#include "analysis/report/step_rows.h"
#include "analysis/util/alloc.h"
#include "analysis/util/median.h"

void memory_growth_add(struct memory_growth *g, int64_t step, int64_t bytes)
{
	struct step_growth *s;

	if (step == STEP_NULL || !bytes)
		return;
	/* Mostly it is the newest step. */
	s = g->steps.count ? table_item(&g->steps, g->steps.count - 1) : NULL;
	if (!s || s->step != step) {
		g->steps.item_size = sizeof(*s);
		s = table_put(&g->steps, (uint64_t)step);
		s->step = step;
	}
	s->bytes += bytes;
}

void memory_growth_copy(struct memory_growth *to, const struct memory_growth *from)
{
	for (size_t i = 0; i < from->steps.count; i++) {
		const struct step_growth *s = table_item(&from->steps, i);

		memory_growth_add(to, s->step, s->bytes);
	}
}

static int by_step(const void *a, const void *b)
{
	const struct step_growth *x = a, *y = b;

	return (x->step > y->step) - (x->step < y->step);
}

void memory_growth_end(struct memory_growth *g)
{
	g->list = table_hand_over(&g->steps, &g->count, by_step);
}

void memory_growth_parcel(struct parcel *p, struct memory_growth *g)
{
	for (size_t i = 0; parcel_has(p, i, &g->list, &g->count, sizeof(*g->list)); i++) {
		PARCEL(p, g->list[i].step);
		PARCEL(p, g->list[i].bytes);
	}
}

void memory_growth_free(struct memory_growth *g)
{
	free(g->list);
}

/* ---- over all steps ---- */

static int by_bytes(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

struct sum {
	size_t steps; /* that lost no call: of others it is not known what they freed */
	int64_t median, most, most_step;
};

static int64_t bytes_of(const struct memory_growth *g, int64_t step)
{
	const struct step_growth key = { .step = step }, *found = g->count ? bsearch(&key, g->list, g->count, sizeof(key), by_step) : NULL;

	return found ? found->bytes : 0;
}

static struct sum sum_of(const struct report *r, const struct memory_growth *g)
{
	int64_t *bytes = alloc_zero(r->steps_read + 1, sizeof(*bytes));
	struct sum sum = { 0 };

	for (size_t i = 0; i < r->steps_read; i++) {
		int64_t step = r->steps[i].step, n = bytes_of(g, step);

		if (step == STEP_NULL || dropped_steps_has(r, step))
			continue;
		if (!sum.steps || n > sum.most || (n == sum.most && step < sum.most_step)) {
			sum.most = n;
			sum.most_step = step;
		}
		bytes[sum.steps++] = n;
	}
	qsort(bytes, sum.steps, sizeof(*bytes), by_bytes);
	if (sum.steps)
		sum.median = median_in_order(bytes, sum.steps, sizeof(*bytes));
	free(bytes);
	return sum;
}

static const char *column_signed(int64_t bytes, char *text)
{
	char size[COLUMN];

	column_bytes((uint64_t)(bytes < 0 ? -bytes : bytes), size);
	snprintf(text, COLUMN, "%s%.20s", bytes < 0 ? "-" : "", size);
	return text;
}

void memory_growth_columns(struct out *o, const struct report *r, const struct memory_growth *g)
{
	struct sum sum = sum_of(r, g);
	char c[2][COLUMN], most[2 * COLUMN] = "-";

	if (sum.steps)
		snprintf(most, sizeof(most), "%s, %" PRId64, column_signed(sum.most, c[1]), sum.most_step);
	out_format(o, MEMORY_GROWTH_HEAD, sum.steps ? column_signed(sum.median, c[0]) : "-", most);
}

void memory_growth_json(struct out *o, const struct report *r, const struct memory_growth *g)
{
	struct sum sum = sum_of(r, g);

	if (!sum.steps)
		return;
	out_json_signed(o, "step_adds_median_bytes", sum.median);
	out_json_signed(o, "step_adds_most_bytes", sum.most);
	out_json_signed(o, "step_adds_most_step", sum.most_step);
}
