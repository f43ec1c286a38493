#include "analysis/html/arrows.h"

#include <stdlib.h>

#define ENDS_MOST 2000000
#define ROWS_MOST 16384 /* pairs of rows that they join, about 30 bytes each */

void arrows_take(struct arrows *a, uint64_t id, bool ends, uint32_t row, uint64_t ns)
{
	if (a->count == ENDS_MOST) {
		a->over++;
		return;
	}
	if (a->count == a->capacity) {
		a->capacity = a->capacity ? 2 * a->capacity : 1024;
		a->list = alloc_grow(a->list, a->capacity, sizeof(*a->list));
	}
	a->list[a->count++] = (struct arrow_end){ id, ns, row, ends };
}

static int by_id(const void *a, const void *b)
{
	const struct arrow_end *x = a, *y = b;

	return x->id != y->id ? (x->id > y->id ? 1 : -1) : x->ends - y->ends;
}

struct pair {
	const struct arrow_end *from, *to;
};

static int by_rows(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->from->row != y->from->row)
		return x->from->row > y->from->row ? 1 : -1;
	if (x->to->row != y->to->row)
		return x->to->row > y->to->row ? 1 : -1;
	return (x->from->ns > y->from->ns) - (x->from->ns < y->from->ns);
}

/* Pairs of ends of one number, in rows that are shown; the caller frees them. */
static struct pair *pair_up(struct arrows *a, const bool *shown, size_t *count)
{
	struct pair *pairs = alloc_zero(a->count + 1, sizeof(*pairs));
	const struct arrow_end *from = NULL;

	*count = 0;
	if (a->count)
		qsort(a->list, a->count, sizeof(*a->list), by_id);
	for (size_t i = 0; i < a->count; i++) {
		if (!a->list[i].ends)
			from = &a->list[i];
		else if (from && from->id == a->list[i].id && (!shown || (shown[from->row] && shown[a->list[i].row])))
			pairs[(*count)++] = (struct pair){ from, &a->list[i] };
	}
	qsort(pairs, *count, sizeof(*pairs), by_rows);
	return pairs;
}

void arrows_put(struct arrows *a, uint64_t base, const bool *shown, struct bytes *to, size_t most, struct out *o)
{
	size_t count, end = to->count + most, i = 0;
	struct pair *pairs = pair_up(a, shown, &count);

	for (size_t groups = 0; i < count && to->count < end && groups < ROWS_MOST; groups++) {
		const struct pair *first = &pairs[i];
		size_t offset = to->count, begin = i;
		uint64_t before = base;

		for (; i < count && to->count < end && pairs[i].from->row == first->from->row && pairs[i].to->row == first->to->row; i++) {
			bytes_signed(to, (int64_t)(pairs[i].from->ns - before));
			bytes_signed(to, (int64_t)(pairs[i].to->ns - pairs[i].from->ns));
			before = pairs[i].from->ns;
		}
		out_json_comma(o, groups);
		out_format(o, "[%u,%u,%zu,%zu]", first->from->row, first->to->row, offset, i - begin);
	}
	a->kept = i;
	a->left_out = count - i + a->over / 2;
	free(pairs);
}

void arrows_free(struct arrows *a)
{
	free(a->list);
}
