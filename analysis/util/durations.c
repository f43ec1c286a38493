#include "analysis/util/durations.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

/* ---- in buckets ---- */

static uint32_t octave_of(uint32_t bucket)
{
	return bucket / DURATIONS_BUCKETS * DURATIONS_BUCKETS;
}

/* Whole octaves, with all that there were. */
static void make_room(struct durations *d, uint32_t bucket)
{
	uint32_t first = octave_of(bucket), end = first + DURATIONS_BUCKETS;
	uint32_t *counts;

	if (d->counts && d->first < first)
		first = d->first;
	if (d->counts && d->first + d->size > end)
		end = d->first + d->size;
	counts = alloc_zero(end - first, sizeof(*counts));
	if (d->counts)
		memcpy(counts + (d->first - first), d->counts, d->size * sizeof(*counts));
	free(d->counts);
	d->counts = counts;
	d->first = first;
	d->size = end - first;
}

static void count_in_bucket(struct durations *d, uint32_t bucket, uint32_t times)
{
	uint32_t *count;

	if (!d->counts || bucket - d->first >= d->size)
		make_room(d, bucket);
	count = &d->counts[bucket - d->first];
	*count = times < UINT32_MAX - *count ? *count + times : UINT32_MAX;
}

static void leave_exact(struct durations *d)
{
	for (size_t i = 0; i < d->listed; i++)
		count_in_bucket(d, durations_bucket(d->exact[i]), 1);
	free(d->exact);
	d->exact = NULL;
	d->listed = 0;
}

/* ---- taking them ---- */

/* The list doubles when it has as many as a power of two, from 4 on. */
static void list(struct durations *d, uint64_t ns)
{
	if (!d->listed)
		d->exact = alloc_grow(d->exact, 4, sizeof(*d->exact));
	else if (d->listed >= 4 && !(d->listed & (d->listed - 1)))
		d->exact = alloc_grow(d->exact, 2 * d->listed, sizeof(*d->exact));
	d->exact[d->listed++] = ns;
}

void durations_add_far(struct durations *d, uint64_t ns)
{
	if (!d->counts && d->listed < DURATIONS_EXACT) {
		list(d, ns);
		return;
	}
	leave_exact(d);
	count_in_bucket(d, durations_bucket(ns), 1);
}

void durations_join(struct durations *d, const struct durations *other)
{
	if (other->counts)
		leave_exact(d);
	for (uint32_t i = 0; other->counts && i < other->size; i++)
		if (other->counts[i])
			count_in_bucket(d, other->first + i, other->counts[i]);
	for (size_t i = 0; i < other->listed; i++)
		durations_add(d, other->exact[i]);
}

/* ---- what they come to ---- */

static int shortest_first(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t middle_of(uint32_t bucket)
{
	unsigned int shift = bucket < 2 * DURATIONS_BUCKETS ? 0 : bucket / DURATIONS_BUCKETS - 1;

	return ((uint64_t)(bucket - shift * DURATIONS_BUCKETS) << shift) + ((1ull << shift) >> 1);
}

/* By its number from the shortest on; the list is in order. */
static uint64_t at(const struct durations *d, uint64_t number)
{
	if (d->exact)
		return d->exact[number];
	for (uint32_t i = 0; i < d->size; i++) {
		if (number < d->counts[i])
			return middle_of(d->first + i);
		number -= d->counts[i];
	}
	return 0;
}

uint64_t durations_count(const struct durations *d)
{
	uint64_t count = d->listed;

	for (uint32_t i = 0; i < d->size; i++)
		count += d->counts[i];
	return count;
}

static uint64_t put_in_order(const struct durations *d)
{
	if (d->exact)
		qsort(d->exact, d->listed, sizeof(*d->exact), shortest_first);
	return durations_count(d);
}

uint64_t durations_median(const struct durations *d)
{
	uint64_t count = put_in_order(d), below = count ? at(d, (count - 1) / 2) : 0;

	return count ? below + (at(d, count / 2) - below) / 2 : 0;
}

uint64_t durations_p99(const struct durations *d)
{
	uint64_t count = put_in_order(d);

	return count ? at(d, count - count / 100 - 1) : 0;
}

void durations_free(struct durations *d)
{
	free(d->counts);
	free(d->exact);
	*d = (struct durations){ 0 };
}
