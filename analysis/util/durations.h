/*
 * durations.h - how long the calls of a row took: number, sum, longest, and percentiles. Of up to DURATIONS_EXACT calls these are
 * exact. Of more they are counted in buckets, 64 from each power of two to the next, and a percentile is the middle of its bucket:
 * not more than 1/128 from the truth, and exact below 128 ns. A row has 512 bytes for each power of two that it met, at most.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define DURATIONS_EXACT	  512
#define DURATIONS_BUCKETS 64 /* a power of two */
#define DURATIONS_OCTAVES 59 /* the first one: what is below 64 ns */

/* Zero at first. */
struct durations {
	uint64_t count, total, longest;
	uint64_t *exact;    /* as many as there are, while they are few */
	uint64_t **octaves; /* counts by bucket; NULL: none in this one. All NULL: they are exact */
};

void durations_add_exact(struct durations *d, uint64_t ns);
uint64_t *durations_octave(struct durations *d, unsigned int octave); /* made, where there was none */

/* The bucket of all that begin with the same seven bits. */
static inline unsigned int durations_bucket(uint64_t ns)
{
	unsigned int shift = ns < DURATIONS_BUCKETS ? 0 : 57 - (unsigned int)__builtin_clzll(ns);

	return shift * DURATIONS_BUCKETS + (unsigned int)(ns >> shift);
}

static inline void durations_add(struct durations *d, uint64_t ns)
{
	d->count++;
	d->total += ns;
	if (ns > d->longest)
		d->longest = ns;
	if (d->octaves) {
		unsigned int bucket = durations_bucket(ns);
		uint64_t *octave = d->octaves[bucket / DURATIONS_BUCKETS];

		octave = octave ? octave : durations_octave(d, bucket / DURATIONS_BUCKETS);
		octave[bucket % DURATIONS_BUCKETS]++;
	} else {
		durations_add_exact(d, ns);
	}
}

/* Adds all that the other one has. */
void durations_join(struct durations *d, const struct durations *other);

/* The middle one, or between the two; and the least that 99 of 100 do not exceed. 0 of none. */
uint64_t durations_median(const struct durations *d);
uint64_t durations_p99(const struct durations *d);

/* Number, sum and longest stay. */
void durations_free(struct durations *d);
