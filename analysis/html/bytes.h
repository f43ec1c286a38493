/* bytes.h - bytes that grow, and numbers in them: seven bits a byte, the lowest first (varints). */
#pragma once
#include <stdint.h>

#include "analysis/util/alloc.h"

struct bytes {
	unsigned char *data;
	size_t count, capacity;
};

static inline void bytes_put(struct bytes *b, unsigned char byte)
{
	if (b->count == b->capacity) {
		b->capacity = b->capacity ? 2 * b->capacity : 4096;
		b->data = alloc_grow(b->data, b->capacity, 1);
	}
	b->data[b->count++] = byte;
}

static inline void bytes_number(struct bytes *b, uint64_t n)
{
	for (; n > 127; n >>= 7)
		bytes_put(b, (unsigned char)(n | 128));
	bytes_put(b, (unsigned char)n);
}

/* May be below 0: 0, -1, 1, -2 are 0, 1, 2, 3. */
static inline void bytes_signed(struct bytes *b, int64_t n)
{
	bytes_number(b, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}
