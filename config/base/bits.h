/* bits.h - a set of small numbers: uint64_t set[BITS_WORDS(n)] has room for those below n. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define BITS_WORDS(n) (((n) + 63) / 64)

static inline void bits_add(uint64_t *set, unsigned int n)
{
	set[n / 64] |= 1ull << n % 64;
}

static inline bool bits_has(const uint64_t *set, unsigned int n)
{
	return set[n / 64] >> n % 64 & 1;
}
