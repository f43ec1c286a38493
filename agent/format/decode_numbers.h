/*
 * decode_numbers.h - how numbers are read: as bits, by how far they are from what is expected (trace_file.h tells the format). Part of
 * decode.c, for whose loops all of it is made inline.
 */
#pragma once
#include <stdbool.h>
#include <string.h>

#include "agent/format/decode.h"
#include "agent/format/predict.h"

#define INLINE static inline __attribute__((always_inline))

#define PEEK   57 /* so many bits are seen at a time */

static uint64_t last_bits(const uint8_t *next, const uint8_t *end)
{
	uint64_t bits = 0;

	if (next < end)
		memcpy(&bits, next, (size_t)(end - next));
	return bits;
}

/* The next bits. What stands behind the last number means nothing, and is not used. */
static inline uint64_t safe_read(const struct decode_bits *b)
{
	const uint8_t *next = b->bytes + b->at / 8;
	uint64_t bits;

	if (next <= b->last)
		memcpy(&bits, next, sizeof(bits));
	else
		bits = last_bits(next, b->last + sizeof(bits));
	return bits >> b->at % 8;
}

static inline uint64_t take(struct decode_bits *b, uint64_t bits, unsigned int count)
{
	b->at += count;
	return bits & ((1ull << count) - 1);
}

static inline uint64_t read_raw(struct decode_bits *b)
{
	uint64_t low;

	b->at += NUMBER_ONES;
	low = take(b, safe_read(b), 32);
	return low | take(b, safe_read(b), 32) << 32;
}

__attribute__((always_inline)) static inline uint64_t read_number(struct decode_bits *b, struct number_predictor *g,
								  struct number_predictor *kin, uint32_t unit)
{
	uint64_t bits = safe_read(b), quotient, zigzag, scaled;
	unsigned int ones = (unsigned int)__builtin_ctzll(~bits | 1ull << NUMBER_ONES);
	unsigned int shift = number_shift(g), n = ones > 2 ? ones - 2 : 0;

	if (ones == NUMBER_ONES)
		return read_raw(b);
	b->at += ones + 1;
	quotient = ones < 2 ? ones : take(b, bits >> (ones + 1), n) + (1ull << n) + 1;
	bits = ones + 1 + n + shift > PEEK ? safe_read(b) : bits >> (ones + 1 + n);
	zigzag = quotient << shift | take(b, bits, shift);
	scaled = g->middle + number_unzigzag(zigzag);
	number_teach(g, kin, scaled, zigzag);
	return scaled * unit;
}

/* ---- numbers as most are: of predictors that have seen some, and not far from what these expect ---- */

static const struct {
	uint32_t least, mask; /* least, and what follows the ones and the zero that ends them, make the quotient */
	uint32_t bits;	      /* of all that */
} quotients[NUMBER_ONES + 1] = {
#define QUOTIENT(n)                                           \
	{                                                     \
		(1u << (n)) + 1, (1u << (n)) - 1, 2 * (n) + 3 \
	}
	{ 0, 0, 1 },
	{ 1, 0, 2 },
	QUOTIENT(0),
	QUOTIENT(1),
	QUOTIENT(2),
	QUOTIENT(3),
	QUOTIENT(4),
	QUOTIENT(5),
	QUOTIENT(6),
	QUOTIENT(7),
	QUOTIENT(8),
	QUOTIENT(9),
	QUOTIENT(10),
	QUOTIENT(11),
	QUOTIENT(12),
	QUOTIENT(13),
	QUOTIENT(14),
	QUOTIENT(15),
	QUOTIENT(16),
	QUOTIENT(17),
	{ 0, 0, PEEK + 1 },
#undef QUOTIENT
};

/* The number that begins at the lowest bit: its zigzag difference. The bits go on behind it. */
INLINE uint64_t usual_zigzag(uint64_t *bits, unsigned int *used, const struct number_predictor *g)
{
	unsigned int ones = (unsigned int)__builtin_ctzll(~*bits | 1ull << NUMBER_ONES), count = quotients[ones].bits;
	unsigned int shift = 31u ^ (unsigned int)__builtin_clz(g->spread | 1);
	uint64_t zigzag = (quotients[ones].least + (*bits >> (ones + 1) & quotients[ones].mask)) << shift;

	*bits >>= count;
	zigzag |= *bits & ((1ull << shift) - 1);
	*bits >>= shift;
	*used += count + shift;
	return zigzag;
}

struct usual {
	uint64_t steps, gap, own; /* zigzag differences */
	unsigned int used;	  /* bits; more than PEEK: they are otherwise */
};

/* The numbers of a slot, out of one read of bits. Chance decides how long they are: no branch depends on that. */
INLINE struct usual usual_read(const uint8_t *bytes, uint64_t at, const struct number_predictor *steps, const struct number_predictor *gap,
			       const struct number_predictor *own)
{
	struct usual u = { 0 };
	uint64_t bits;

	memcpy(&bits, bytes + at / 8, sizeof(bits));
	bits >>= at % 8;
	if (steps)
		u.steps = usual_zigzag(&bits, &u.used, steps);
	u.gap = usual_zigzag(&bits, &u.used, gap);
	u.own = usual_zigzag(&bits, &u.used, own);
	if ((u.steps | u.gap | u.own) >= NUMBER_SPREAD || !gap->seen || !own->seen || (steps && !steps->seen))
		u.used = PEEK + 1;
	return u;
}

/* number_learn(), of who has seen something, and has these differences. */
INLINE void usual_learn(struct number_predictor *g, uint64_t zigzag)
{
	unsigned int speed = 31u ^ (unsigned int)__builtin_clz(g->seen + 1);
	uint64_t spread = g->spread, most = 8 * spread + 16, step = zigzag ? spread >> speed | 1 : 0, sign = -(zigzag & 1);

	g->middle += (step ^ sign) - sign;
	most = most < zigzag ? most : zigzag;
	g->spread = (uint32_t)(spread + (uint64_t)((int64_t)(most - spread) >> speed));
	g->seen += g->seen < NUMBER_SEEN;
}

static __attribute__((noinline)) void teach_kin(struct number_predictor *kin, uint64_t number)
{
	number_learn(kin, number_zigzag(number - kin->middle));
}
