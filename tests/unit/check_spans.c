/* check_spans.c - covered time, against a row of squares that are blackened one by one. */
#include "analysis/report/step_rows.h"
#include "analysis/util/spans.h"
#include "tests/lib/unit.h"

#define SQUARES 2000
#define SETS	3

static void blacken(bool *squares, struct spans *s, uint64_t begin, uint64_t length)
{
	for (uint64_t i = begin; i < begin + length; i++)
		squares[i] = true;
	spans_add(s, begin, begin + length);
}

/* In at least one of the rows. */
static uint64_t black(bool (*rows)[SQUARES], size_t count)
{
	uint64_t sum = 0;

	for (int i = 0; i < SQUARES; i++) {
		bool any = false;

		for (size_t k = 0; k < count; k++)
			any |= rows[k][i];
		sum += any;
	}
	return sum;
}

/* What lies between has no gap in it, and with what they cover it is all there is. */
static void check_union(struct spans *s, size_t n, uint64_t covered)
{
	struct spans between = { 0 };

	ck_assert_uint_eq(spans_union(s, n, NULL), covered);
	ck_assert_uint_eq(spans_union(s, n, &between), covered);
	ck_assert_uint_eq(spans_total(&between), UINT64_MAX - covered);
	for (size_t i = 1; i < between.count; i++)
		ck_assert_uint_gt(between.list[i].begin, between.list[i - 1].end);
	spans_free(&between);
}

/* In order, nearly in order, and in none, in turn and one for a while: adding goes on behind a sum. */
START_TEST(spans_cover_what_they_cover_whatever_their_order)
{
	for (uint64_t stray = 1; stray < 1 << 16; stray *= 2) {
		bool squares[SETS][SQUARES] = { 0 };
		struct spans s[SETS] = { 0 };

		for (uint64_t i = 0, k = 0; i < 300; i++) {
			k = unit_random() % (1 + stray % 11) ? k : (k + 1 + unit_random() % 2) % SETS;
			blacken(squares[k], &s[k], (i * 5 + unit_random() % stray) % (SQUARES - 10), unit_random() % 10);
			if (i % 37 == 0)
				ck_assert_uint_eq(spans_total(&s[k]), black(&squares[k], 1));
		}
		for (size_t n = 0; n <= SETS; n++)
			check_union(s, n, black(squares, n));
		for (size_t k = 0; k < SETS; k++) {
			ck_assert_uint_eq(spans_total(&s[k]), black(&squares[k], 1));
			spans_free(&s[k]);
		}
	}
}
END_TEST

/* Also after the last, and where the stretch ends before it begins. */
static void check_stretches(const bool *squares, struct spans *s)
{
	spans_sort(s);
	for (int n = 0; n < 20; n++) {
		uint64_t begin = unit_random() % SQUARES, end = unit_random() % SQUARES, white = 0;
		size_t behind = 0;

		for (uint64_t i = begin; i < end; i++)
			white += !squares[i];
		ck_assert_uint_eq(spans_left_free(s, begin, end), white);
		while (behind < s->count && s->list[behind].end <= begin)
			behind++;
		ck_assert_uint_eq(spans_at(s, begin), behind);
	}
}

START_TEST(what_is_new_is_sorted_among_what_was_sorted_before)
{
	for (uint64_t stray = 1; stray < 1 << 12; stray *= 2) {
		bool squares[SQUARES] = { 0 };
		struct spans s = { 0 };

		for (uint64_t i = 0; i < 150; i++) {
			blacken(squares, &s, (i * 10 + unit_random() % stray) % (SQUARES - 10), unit_random() % 10);
			if (unit_random() % 4)
				continue;
			check_stretches(squares, &s);
			for (size_t k = 1; k < s.count; k++)
				ck_assert_uint_gt(s.list[k].begin, s.list[k - 1].end);
		}
		spans_free(&s);
	}
}
END_TEST

START_TEST(a_step_that_ends_before_it_begins_has_no_length)
{
	ck_assert_uint_eq(step_row_length(&(struct step_row){ .begin = 200, .end = 100 }), 0);
	ck_assert_uint_eq(step_row_length(&(struct step_row){ .begin = 100, .end = 200, .unrecorded = 150 }), 0);
	ck_assert_uint_eq(step_row_length(&(struct step_row){ .begin = 100, .end = 200, .unrecorded = 30 }), 70);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("spans");

	tcase_add_test(t, spans_cover_what_they_cover_whatever_their_order);
	tcase_add_test(t, what_is_new_is_sorted_among_what_was_sorted_before);
	tcase_add_test(t, a_step_that_ends_before_it_begins_has_no_length);
	return unit_run("spans", t);
}
