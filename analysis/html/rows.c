#include "analysis/html/rows.h"

#include <stdlib.h>

/* What becomes one is no longer than this many times the resolution: else a busy second would be a single grey block. */
#define WIDEST 4

static bool join(struct slice *last, const struct slice *next, uint64_t resolution)
{
	uint64_t end = last->begin + last->length, next_end = next->begin + next->length;

	if (last->longest >= resolution || next->longest >= resolution || next->begin < last->begin)
		return false;
	if ((next->begin > end && next->begin - end >= resolution) || next_end - last->begin > WIDEST * resolution)
		return false;
	if (next->longest > last->longest) {
		last->longest = next->longest;
		last->kind = next->kind;
	}
	if (next_end > end)
		last->length = next_end - last->begin;
	last->busy += next->busy;
	last->count += next->count;
	return true;
}

size_t row_push(struct row *r, const struct slice *s, uint64_t resolution)
{
	struct slice *last = r->count ? &r->list[r->count - 1] : NULL;

	if (last && s->begin < last->begin)
		r->unsorted = true;
	else if (last && resolution && join(last, s, resolution))
		return 0;
	if (!r->list || r->count == r->capacity) {
		r->capacity = r->capacity ? 2 * r->capacity : 16;
		r->list = alloc_grow(r->list, r->capacity, sizeof(*r->list));
	}
	r->list[r->count++] = *s;
	return 1;
}

static int by_begin(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

void row_sort(struct row *r)
{
	if (r->unsorted)
		qsort(r->list, r->count, sizeof(*r->list), by_begin);
	r->unsorted = false;
}

void row_merge(struct row *r, uint64_t resolution)
{
	size_t kept = 0;

	row_sort(r);
	for (size_t i = 0; i < r->count; i++)
		if (!kept || !join(&r->list[kept - 1], &r->list[i], resolution))
			r->list[kept++] = r->list[i];
	r->count = kept;
}

void row_merge_into(struct row *to, const struct row *from, uint64_t resolution)
{
	for (size_t i = 0; i < from->count; i++)
		row_push(to, &from->list[i], resolution);
}

static unsigned char share_of(const struct slice *s)
{
	return (unsigned char)(s->busy < s->length ? 255 * s->busy / s->length : 255);
}

void row_encode(const struct row *r, uint64_t base, const struct names *names, struct bytes *to)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct slice *s = &r->list[i];

		bytes_signed(to, (int64_t)(s->begin - base));
		bytes_number(to, s->length);
		bytes_number(to, 2ull * names_place(names, s->kind) + (s->count > 1));
		base = s->begin + s->length;
		if (s->count < 2)
			continue;
		bytes_number(to, s->count);
		bytes_put(to, share_of(s));
	}
}
