/* sorted.h - looking a number up in an array that is in its order. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/*
 * How many of the array's numbers are at most this one. first: the number in its first item, of which each is so many bytes long; NULL where
 * there is none.
 */
static inline size_t sorted_up_to(uint64_t most, const uint64_t *first, size_t stride, size_t count)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (*(const uint64_t *)((const char *)first + middle * stride) <= most)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* SORTED_UP_TO(ns, list, end, count): of an array of structures, by their member end. */
#define SORTED_UP_TO(most, array, member, count) sorted_up_to(most, (array) ? &(array)->member : NULL, sizeof(*(array)), count)
