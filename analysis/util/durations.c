#include "analysis/util/durations.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"

uint64_t *durations_octave(struct durations *d, unsigned int octave)
{
	if (!d->octaves[octave])
		d->octaves[octave] = alloc_zero(DURATIONS_BUCKETS, sizeof(**d->octaves));
	return d->octaves[octave];
}

static void count_in_bucket(struct durations *d, uint64_t ns, uint64_t times)
{
	unsigned int bucket = durations_bucket(ns);

	durations_octave(d, bucket / DURATIONS_BUCKETS)[bucket % DURATIONS_BUCKETS] += times;
}

/* From now on in buckets: so many as there are in the list. */
static void leave_exact(struct durations *d, size_t listed)
{
	d->octaves = alloc_zero(DURATIONS_OCTAVES, sizeof(*d->octaves));
	for (size_t i = 0; i < listed; i++)
		count_in_bucket(d, d->exact[i], 1);
	free(d->exact);
	d->exact = NULL;
}

/* It is counted already. The list doubles: there is room up to the next power of two, from 4 on. */
void durations_add_exact(struct durations *d, uint64_t ns)
{
	size_t listed = d->count - 1;

	if (listed == DURATIONS_EXACT) {
		leave_exact(d, listed);
		count_in_bucket(d, ns, 1);
		return;
	}
	if (!listed)
		d->exact = alloc_grow(d->exact, 4, sizeof(*d->exact));
	else if (listed >= 4 && !(listed & (listed - 1)))
		d->exact = alloc_grow(d->exact, 2 * listed, sizeof(*d->exact));
	d->exact[listed] = ns;
}

static void join_buckets(struct durations *d, const struct durations *other)
{
	if (!d->octaves)
		leave_exact(d, d->count);
	for (unsigned int o = 0; o < DURATIONS_OCTAVES; o++)
		for (unsigned int b = 0; other->octaves[o] && b < DURATIONS_BUCKETS; b++)
			if (other->octaves[o][b])
				durations_octave(d, o)[b] += other->octaves[o][b];
	d->count += other->count;
	d->total += other->total;
	if (other->longest > d->longest)
		d->longest = other->longest;
}

void durations_join(struct durations *d, const struct durations *other)
{
	if (other->octaves)
		join_buckets(d, other);
	else
		for (size_t i = 0; i < other->count; i++)
			durations_add(d, other->exact[i]);
}

/* ---- what they come to ---- */

static int shortest_first(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t middle_of(unsigned int bucket)
{
	unsigned int shift = bucket < 2 * DURATIONS_BUCKETS ? 0 : bucket / DURATIONS_BUCKETS - 1;

	return ((uint64_t)(bucket - shift * DURATIONS_BUCKETS) << shift) + ((1ull << shift) >> 1);
}

/* Of the octaves the one that holds it, by its number from the shortest on. */
static uint64_t in_buckets(const struct durations *d, uint64_t number)
{
	for (unsigned int o = 0; o < DURATIONS_OCTAVES; o++)
		for (unsigned int b = 0; d->octaves[o] && b < DURATIONS_BUCKETS; b++) {
			uint64_t ns = middle_of(o * DURATIONS_BUCKETS + b);

			if (number < d->octaves[o][b])
				return ns < d->longest ? ns : d->longest;
			number -= d->octaves[o][b];
		}
	return d->longest;
}

/* The list is in order. */
static uint64_t at(const struct durations *d, uint64_t number)
{
	return d->octaves ? in_buckets(d, number) : d->exact[number];
}

/* False: there is nothing to ask. */
static bool put_in_order(const struct durations *d)
{
	if (d->exact)
		qsort(d->exact, d->count, sizeof(*d->exact), shortest_first);
	return d->exact || d->octaves;
}

uint64_t durations_median(const struct durations *d)
{
	uint64_t below;

	if (!put_in_order(d))
		return 0;
	below = at(d, (d->count - 1) / 2);
	return below + (at(d, d->count / 2) - below) / 2;
}

uint64_t durations_p99(const struct durations *d)
{
	return put_in_order(d) ? at(d, d->count - d->count / 100 - 1) : 0;
}

void durations_free(struct durations *d)
{
	for (unsigned int o = 0; d->octaves && o < DURATIONS_OCTAVES; o++)
		free(d->octaves[o]);
	free(d->octaves);
	free(d->exact);
	d->octaves = NULL;
	d->exact = NULL;
}
