/*
 * durations.h - percentiles of how long the calls of a row took. Of up to DURATIONS_EXACT calls these are exact. Of more they are
 * counted in buckets, 64 from each power of two to the next, and a percentile is the middle of its bucket: not more than 1/128 from
 * the truth, and exact below 128 ns. A row has 256 bytes for each power of two from its shortest to its longest call: 15 KiB at most.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define DURATIONS_EXACT	  512
#define DURATIONS_BUCKETS 64 /* a power of two */

/* Zero at first. */
struct durations {
	uint32_t *counts;     /* of buckets, if they are not exact any more; none goes beyond UINT32_MAX */
	uint32_t first, size; /* of these buckets */
	uint64_t *exact;
	size_t listed;	 /* in there */
	uint8_t *packed; /* else all of them, as bytes: many rows of many processes are kept so, of which few are shown */
	size_t packed_size;
};

void durations_add_far(struct durations *d, uint64_t ns);

/* The bucket of all that begin with the same seven bits. */
static inline uint32_t durations_bucket(uint64_t ns)
{
	unsigned int shift = 57 - (unsigned int)__builtin_clzll(ns | DURATIONS_BUCKETS);

	return shift * DURATIONS_BUCKETS + (uint32_t)(ns >> shift);
}

static inline void durations_add(struct durations *d, uint64_t ns)
{
	uint32_t place = durations_bucket(ns) - d->first;

	if (place >= d->size)
		durations_add_far(d, ns);
	else if (!++d->counts[place])
		d->counts[place] = UINT32_MAX;
}

/* Adds all that the other one has. */
void durations_join(struct durations *d, const struct durations *other);

uint64_t durations_count(const struct durations *d);

/* The middle one, or between the two; and the least that 99 of 100 do not exceed. 0 of none. */
uint64_t durations_median(const struct durations *d);
uint64_t durations_p99(const struct durations *d);

/* Packed, or opened: these stay bytes until somebody asks. */
struct parcel;
void durations_parcel(struct parcel *p, struct durations *d);

/* Zero again. */
void durations_free(struct durations *d);
