/*
 * encode_numbers.h - how numbers are written: as bits, by how far they are from what is expected (trace_file.h tells the format). Part of
 * encode.c, for whose loops all of it is made inline.
 */
#pragma once
#include <stdbool.h>
#include <string.h>
#include "agent/format/encode.h"
#include "agent/format/predict.h"
#include "agent/format/trace_file.h"

#define INLINE	  static inline __attribute__((always_inline))
#define OFTEN(x)  __builtin_expect(!!(x), 1)
#define SELDOM(x) __builtin_expect(!!(x), 0)

static const struct encode_unit plain = { .unit = 1, .inverse = 1 };

#define BITS_AT_ONCE 56 /* and up to 7 that are there already */

/* What is there goes to memory, but for a part of a byte. The store may reach beyond it: the margin is for that. */
static inline void store_bits(struct encode_bits *b)
{
	memcpy(b->next, &b->bits, sizeof(b->bits));
	b->next += b->count / 8;
	b->bits >>= b->count & ~7u;
	b->count &= 7;
}

static inline void put_bits(struct encode_bits *b, uint64_t value, unsigned int count)
{
	b->bits |= value << b->count;
	b->count += count;
	store_bits(b);
}

static void put_raw(struct encode_bits *b, uint64_t value)
{
	put_bits(b, (1ull << NUMBER_ONES) - 1, NUMBER_ONES);
	put_bits(b, value & UINT32_MAX, 32);
	put_bits(b, value >> 32, 32);
}

/*
 * value / unit if that is a whole number. If only the unit's odd part does not divide it, the result
 * is a great number that times the unit is the value all the same: nothing is lost.
 */
static inline bool divide(const struct encode_unit *u, uint64_t value, uint64_t *scaled)
{
	*scaled = (uint64_t)((int64_t)value >> u->zeros) * u->inverse;
	return !(value & u->rest);
}

/* 0 and 1: that many ones and a zero. Others: 2 + n ones, a zero, and the n bits below their highest. */
#define QUOTIENT(n, rest)                                            \
	{                                                            \
		((4u << (n)) - 1) | (rest) << ((n) + 3), 2 * (n) + 3 \
	}
#define QUOTIENTS2(n, rest) QUOTIENT(n, rest), QUOTIENT(n, (rest) + 1)
#define QUOTIENTS4(n, rest) QUOTIENTS2(n, rest), QUOTIENTS2(n, (rest) + 2)
#define SMALL_QUOTIENTS	    17

static const struct {
	uint32_t bits, count;
} small_quotients[SMALL_QUOTIENTS] = {
	{ 0, 1 },
	{ 1, 2 },
	QUOTIENT(0, 0),
	QUOTIENTS2(1, 0),
	QUOTIENTS4(2, 0),
	QUOTIENTS4(3, 0),
	QUOTIENTS4(3, 4),
};

/* Of more than NUMBER_GREAT it tells only that this is too long. */
INLINE uint64_t quotient_code(uint64_t quotient, unsigned int *count)
{
	unsigned int n;

	if (OFTEN(quotient < SMALL_QUOTIENTS)) {
		*count = small_quotients[quotient].count;
		return small_quotients[quotient].bits;
	}
	n = 31u - (unsigned int)__builtin_clz((uint32_t)quotient - 1);
	*count = quotient > NUMBER_GREAT ? BITS_AT_ONCE + 1 : 2 * n + 3;
	return ((4ull << n) - 1) | (quotient - 1 - (1ull << n)) << (n + 3);
}

static inline void put_number(struct encode_bits *b, struct number_predictor *g, struct number_predictor *kin,
			      const struct encode_unit *unit, uint64_t value)
{
	unsigned int shift = number_shift(g), count;
	uint64_t scaled, zigzag, quotient, code;
	bool whole = divide(unit, value, &scaled);

	zigzag = number_zigzag(scaled - g->middle);
	quotient = zigzag >> shift;
	if (!whole || quotient > NUMBER_GREAT) {
		put_raw(b, value);
		return;
	}
	code = quotient_code(quotient, &count);
	put_bits(b, code, count);
	put_bits(b, zigzag & ((1ull << shift) - 1), shift);
	number_teach(g, kin, scaled, zigzag);
}

/* Any number. The bits go by value: a pointer to them would keep them in memory, not in registers. */
static __attribute__((noinline)) struct encode_bits
with_number(struct encode_bits b, struct number_predictor *g, const struct encode_unit *unit, uint64_t value)
{
	put_number(&b, g, g, unit, value);
	return b;
}

/* The two numbers that every slot has, whatever they are. */
static __attribute__((noinline)) struct encode_bits
with_numbers(struct encode_bits b, struct number_predictor *gap, struct number_predictor *own, struct number_predictor *kin,
	     const struct encode_unit *unit, uint64_t before, uint64_t duration)
{
	put_number(&b, gap, gap, unit, before);
	put_number(&b, own, kin, unit, duration);
	return b;
}

/*
 * Nearly every slot has two numbers of predictors that know what they are about, and not far from what
 * these expect. Such are written by one store, without a branch that could go either way.
 */
struct difference {
	uint64_t value, zigzag;
	unsigned int shift;
};

INLINE struct difference differ(const struct number_predictor *g, const struct encode_unit *unit, uint64_t value)
{
	struct difference d = { .shift = 31u - (unsigned int)__builtin_clz(g->spread | 1) };

	divide(unit, value, &d.value);
	d.value -= g->middle;
	d.zigzag = number_zigzag(d.value);
	return d;
}

INLINE uint64_t difference_code(const struct difference *d, unsigned int *count)
{
	uint64_t code = quotient_code(d->zigzag >> d->shift, count);

	code |= (d->zigzag & ((1ull << d->shift) - 1)) << *count;
	*count += d->shift;
	return code;
}

/* number_move(), of a difference that is below NUMBER_SPREAD. */
INLINE void move(struct number_predictor *g, const struct difference *d, unsigned int speed)
{
	uint64_t spread = g->spread, most = 8 * spread + 16, step = spread >> speed | 1;
	uint64_t sign = (uint64_t)((int64_t)d->value >> 63);

	step = (step ^ sign) - sign;
	g->middle += d->value ? step : 0;
	most = most < d->zigzag ? most : d->zigzag;
	g->spread = (uint32_t)(spread + (uint64_t)((int64_t)(most - spread) >> speed));
}

/* number_learn(), of who has seen something. */
INLINE void learn(struct number_predictor *g, const struct difference *d)
{
	uint32_t seen = g->seen;

	move(g, d, 31u - (unsigned int)__builtin_clz(seen + 1));
	g->seen = seen + (seen < NUMBER_SEEN);
}

static __attribute__((noinline)) void teach_kin(struct number_predictor *kin, const struct encode_unit *unit, uint64_t value)
{
	uint64_t scaled;

	divide(unit, value, &scaled);
	number_learn(kin, number_zigzag(scaled - kin->middle));
}

/* One number, as put_usual() has two. */
INLINE bool put_usual_steps(struct encode_bits *b, struct number_predictor *g, uint64_t value)
{
	struct difference d = differ(g, &plain, value);
	unsigned int count;
	uint64_t code;

	if (SELDOM(g->seen != NUMBER_SEEN || d.zigzag >= NUMBER_SPREAD))
		return false;
	code = difference_code(&d, &count);
	if (SELDOM(count > BITS_AT_ONCE))
		return false;
	put_bits(b, code, count);
	move(g, &d, NUMBER_SPEED);
	return true;
}

/* Two numbers as most are. False, and nothing has changed, if they are not. */
INLINE bool put_usual(struct encode_bits *b, struct number_predictor *gap, struct number_predictor *own,
		      const struct encode_unit *unit, uint64_t before, uint64_t duration)
{
	struct difference first, second;
	unsigned int count, more;
	uint64_t code, rest;

	if (SELDOM(gap->seen != NUMBER_SEEN || !own->seen || (before | duration) & unit->rest))
		return false;
	first = differ(gap, unit, before);
	second = differ(own, unit, duration);
	if (SELDOM((first.zigzag | second.zigzag) >= NUMBER_SPREAD))
		return false;
	code = difference_code(&first, &count);
	rest = difference_code(&second, &more);
	if (SELDOM(count + more > BITS_AT_ONCE))
		return false;
	put_bits(b, code | rest << count, count + more);
	move(gap, &first, NUMBER_SPEED);
	learn(own, &second);
	return true;
}
