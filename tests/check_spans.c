/* check_spans.c - covered time, against a row of squares that are blackened one by one. */
#include "analysis/spans.h"
#include "tests/unit.h"

#define SQUARES 2000

static uint64_t state = 88172645463325252ull;

static uint64_t chance(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static void blacken(bool *squares, struct spans *s, uint64_t begin, uint64_t length)
{
	for (uint64_t i = begin; i < begin + length; i++)
		squares[i] = true;
	spans_add(s, begin, begin + length);
}

static uint64_t black(const bool *a, const bool *b)
{
	uint64_t count = 0;

	for (int i = 0; i < SQUARES; i++)
		count += a[i] || b[i];
	return count;
}

/* In order, nearly in order, and in none: adding goes on behind a sum. */
START_TEST(spans_cover_what_they_cover_whatever_their_order)
{
	for (uint64_t stray = 1; stray < 4096; stray *= 2) {
		bool squares[2][SQUARES] = { 0 };
		struct spans s[2] = { 0 };

		for (uint64_t i = 0; i < 300; i++) {
			blacken(squares[i & 1], &s[i & 1], (i * 5 + chance(stray)) % (SQUARES - 10), chance(10));
			if (i % 37 == 0)
				ck_assert_uint_eq(spans_total(&s[i & 1]), black(squares[i & 1], squares[i & 1]));
		}
		ck_assert_uint_eq(spans_total(&s[0]), black(squares[0], squares[0]));
		ck_assert_uint_eq(spans_total(&s[1]), black(squares[1], squares[1]));
		ck_assert_uint_eq(spans_union(s, 2), black(squares[0], squares[1]));
		spans_free(&s[0]);
		spans_free(&s[1]);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("spans");

	tcase_add_test(t, spans_cover_what_they_cover_whatever_their_order);
	return unit_run("spans", t);
}
