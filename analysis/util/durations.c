#include "analysis/util/durations.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/util/parcel.h"

#define ALL_BUCKETS (59 * DURATIONS_BUCKETS) /* of 64 bits */

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

/* ---- as they are ---- */

static int shortest_first(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The list doubles when it has as many as a power of two, from 4 on. */
static void list(struct durations *d, uint64_t ns)
{
	if (!d->listed)
		d->exact = alloc_grow(d->exact, 4, sizeof(*d->exact));
	else if (d->listed >= 4 && !(d->listed & (d->listed - 1)))
		d->exact = alloc_grow(d->exact, 2 * d->listed, sizeof(*d->exact));
	d->exact[d->listed++] = ns;
}

/* ---- as bytes: told whether in buckets, then each, as far as it is from the one before; d NULL: they are only looked at ---- */

static uint32_t used_from(const struct durations *d, uint32_t bucket)
{
	while (bucket < d->first || !d->counts[bucket - d->first])
		bucket++;
	return bucket;
}

static void put_buckets(struct parcel *p, struct durations *d)
{
	uint32_t n = 0;

	for (uint32_t i = 0; !p->opened && i < d->size; i++)
		n += d->counts[i] > 0;
	PARCEL(p, n);
	for (uint32_t bucket = 0; n && !p->broken; n--, bucket++) {
		uint32_t gap = p->opened ? 0 : used_from(d, bucket) - bucket, times = p->opened ? 0 : d->counts[bucket + gap - d->first];

		PARCEL(p, gap);
		PARCEL(p, times);
		p->broken |= bucket >= ALL_BUCKETS || gap >= ALL_BUCKETS - bucket || !times;
		bucket += gap;
		if (p->opened && d && !p->broken)
			count_in_bucket(d, bucket, times);
	}
}

static void put_list(struct parcel *p, struct durations *d)
{
	uint64_t n = d ? d->listed : 0, before = 0;

	PARCEL(p, n);
	p->broken |= n > DURATIONS_EXACT;
	if (!p->opened)
		qsort(d->exact, n, sizeof(*d->exact), shortest_first);
	for (size_t i = 0; i < n && !p->broken; i++) {
		uint64_t gap = p->opened ? 0 : d->exact[i] - before;

		PARCEL(p, gap);
		before += gap;
		if (p->opened && d)
			list(d, before);
	}
}

static void put_content(struct parcel *p, struct durations *d)
{
	bool counted = d && d->counts;

	PARCEL(p, counted);
	if (counted)
		put_buckets(p, d);
	else
		put_list(p, d);
}

/* As they are; of packed ones in the room, which is zero of others. */
static struct durations *opened_of(const struct durations *d, struct durations *room)
{
	struct parcel p = PARCEL_OF(d->packed, d->packed_size);

	*room = (struct durations){ 0 };
	if (!d->packed)
		return (struct durations *)(uintptr_t)d;
	put_content(&p, room);
	return room;
}

static void open_own(struct durations *d)
{
	struct durations room;

	if (!d->packed)
		return;
	opened_of(d, &room);
	durations_free(d);
	*d = room;
}

/* ---- taking them ---- */

void durations_add_far(struct durations *d, uint64_t ns)
{
	open_own(d);
	if (!d->counts && d->listed < DURATIONS_EXACT) {
		list(d, ns);
		return;
	}
	leave_exact(d);
	count_in_bucket(d, durations_bucket(ns), 1);
}

void durations_join(struct durations *d, const struct durations *packed)
{
	struct durations room, *other = opened_of(packed, &room);

	open_own(d);
	if (other->counts)
		leave_exact(d);
	for (uint32_t i = 0; other->counts && i < other->size; i++)
		if (other->counts[i])
			count_in_bucket(d, other->first + i, other->counts[i]);
	for (size_t i = 0; i < other->listed; i++)
		durations_add(d, other->exact[i]);
	durations_free(&room);
}

/* ---- what they come to ---- */

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

static uint64_t count_of(const struct durations *d)
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
	return count_of(d);
}

static uint64_t median_of(const struct durations *d)
{
	uint64_t count = put_in_order(d), below = count ? at(d, (count - 1) / 2) : 0;

	return count ? below + (at(d, count / 2) - below) / 2 : 0;
}

static uint64_t p99_of(const struct durations *d)
{
	uint64_t count = put_in_order(d);

	return count ? at(d, count - count / 100 - 1) : 0;
}

static uint64_t asked(const struct durations *packed, uint64_t (*what)(const struct durations *d))
{
	struct durations room;
	uint64_t n = what(opened_of(packed, &room));

	durations_free(&room);
	return n;
}

uint64_t durations_count(const struct durations *d)
{
	return asked(d, count_of);
}

uint64_t durations_median(const struct durations *d)
{
	return asked(d, median_of);
}

uint64_t durations_p99(const struct durations *d)
{
	return asked(d, p99_of);
}

void durations_free(struct durations *d)
{
	free(d->counts);
	free(d->exact);
	free(d->packed);
	*d = (struct durations){ 0 };
}

void durations_parcel(struct parcel *p, struct durations *d)
{
	struct parcel own = { .bytes = d->packed, .used = d->packed_size }, check;
	const uint8_t *at;

	if (!p->opened && !d->packed && (d->counts || d->listed))
		put_content(&own, d);
	PARCEL(p, own.used);
	at = parcel_bytes(p, own.bytes, own.used);
	if (!p->opened) {
		free(own.bytes == d->packed ? NULL : own.bytes);
		return;
	}
	check = PARCEL_OF(at, at ? own.used : 0);
	if (!check.size)
		return;
	put_content(&check, NULL);
	p->broken |= check.broken || check.used != check.size;
	d->packed_size = check.size;
	d->packed = memcpy(alloc_zero(check.size, 1), at, check.size);
}
