#include "analysis/why/reference.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/median.h"

/* Steps of one rank that are alike are more like each other than those of two ranks. */
static void add_own(struct reference *r, const struct why_rank *rank, const struct why_step *step)
{
	for (size_t i = 0; i < rank->count; i++)
		if (&rank->steps[i] != step && !rank->steps[i].lacks && rank->steps[i].by_device == step->by_device)
			r->steps[r->count++] = &rank->steps[i];
}

static void add_others(struct reference *r, const struct why_run *run, const struct why_rank *rank, const struct why_step *step)
{
	for (size_t i = 0; i < run->count; i++)
		for (size_t k = 0; !report_is_same_rank(&run->ranks[i].report, &rank->report) && k < run->ranks[i].count; k++) {
			const struct why_step *other = &run->ranks[i].steps[k];

			if (other->step != step->step || other->lacks || other->by_device != step->by_device)
				continue;
			r->steps[r->count++] = other;
			break; /* a restarted rank may have it twice */
		}
}

struct reference reference_of_others(const struct why_run *run, const struct why_rank *rank, const struct why_step *step)
{
	struct reference r = { .steps = alloc_zero(run->count, sizeof(struct why_step *)), .other_ranks = true };

	add_others(&r, run, rank, step);
	return r;
}

struct reference reference_of(const struct why_run *run, const struct why_rank *rank, const struct why_step *step)
{
	struct reference r = { .steps = alloc_grow(NULL, rank->count + 1, sizeof(struct why_step *)) };

	add_own(&r, rank, step);
	if (r.count >= REFERENCE_LEAST)
		return r;
	r.steps = alloc_grow(r.steps, rank->count + run->count, sizeof(struct why_step *));
	r.count = 0;
	r.other_ranks = true;
	add_others(&r, run, rank, step);
	if (r.count)
		return r;
	r.other_ranks = false;
	add_own(&r, rank, step);
	return r;
}

static void swap(int64_t *a, int64_t *b)
{
	int64_t kept = *a;

	*a = *b;
	*b = kept;
}

/* Puts the one of this place there, and no larger one before it. Steps come in order of what they take, or in none: the middle one parts them well. */
static void settle(int64_t *values, size_t count, size_t place)
{
	size_t first = 0, last = count - 1;

	while (first < last) {
		int64_t pivot = values[first + (last - first) / 2];
		size_t i = first, k = last;

		for (;;) {
			while (values[i] < pivot)
				i++;
			while (values[k] > pivot)
				k--;
			if (i >= k)
				break;
			swap(&values[i++], &values[k--]);
		}
		if (place <= k)
			last = k;
		else
			first = k + 1;
	}
}

static int64_t middle(int64_t *values, size_t count)
{
	int64_t above, below;

	settle(values, count, count / 2);
	above = below = values[count / 2];
	for (size_t i = 0; count % 2 == 0 && i < count / 2; i++)
		below = i && values[i] < below ? below : values[i];
	return median_between(below, above);
}

struct spread reference_spread(int64_t *values, size_t count)
{
	struct spread s = { 0 };

	if (!count)
		return s;
	s.median = middle(values, count);
	for (size_t i = 0; i < count; i++)
		values[i] = llabs(values[i] - s.median);
	s.noise = (int64_t)(1.4826 * (double)middle(values, count));
	return s;
}

static int64_t length_of(const struct why_step *step, bool own)
{
	return (int64_t)(step->length - (own ? step->waited : 0));
}

struct spread reference_length(const struct reference *r, bool own)
{
	int64_t *values = alloc_zero(r->count, sizeof(*values));
	struct spread s;

	for (size_t i = 0; i < r->count; i++)
		values[i] = length_of(r->steps[i], own);
	s = reference_spread(values, r->count);
	free(values);
	return s;
}

struct spread reference_of_rank(const struct why_rank *rank, bool own, size_t *count)
{
	int64_t *values = alloc_zero(rank->count, sizeof(*values));
	struct spread s;

	*count = 0;
	for (size_t i = 0; i < rank->count; i++)
		if (!rank->steps[i].lacks)
			values[(*count)++] = length_of(&rank->steps[i], own);
	s = reference_spread(values, *count);
	free(values);
	return s;
}

void reference_free(struct reference *r)
{
	free(r->steps);
}
