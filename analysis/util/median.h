/* median.h - the middle one of numbers, or what lies between the two. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Rounded down. Their sum may be no number any more. */
static inline int64_t median_between(int64_t a, int64_t b)
{
	return (a & b) + ((a ^ b) >> 1);
}

/* Of one or more, up or down, each so many bytes behind the one before. */
static inline int64_t median_in_order(const int64_t *first, size_t count, size_t apart)
{
	const char *list = (const char *)first;

	return median_between(*(const int64_t *)(list + (count - 1) / 2 * apart), *(const int64_t *)(list + count / 2 * apart));
}
