/* check_median.c - the middle of lists, up and down, and of numbers whose sum is none. */
#include "analysis/util/median.h"
#include "tests/lib/unit.h"

#define OF(...) median_in_order((const int64_t[]){ __VA_ARGS__ }, sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), sizeof(int64_t))

START_TEST(it_is_the_middle_one_or_between_the_two)
{
	ck_assert_int_eq(OF(7), 7);
	ck_assert_int_eq(OF(1, 2, 9), 2);
	ck_assert_int_eq(OF(9, 2, 1), 2);
	ck_assert_int_eq(OF(1, 4, 8, 100), 6);
	ck_assert_int_eq(OF(100, 8, 4, 1), 6);
	ck_assert_int_eq(OF(-5, -2), -4);
	ck_assert_int_eq(OF(-3, 4), 0);
}
END_TEST

START_TEST(there_is_a_middle_of_numbers_whose_sum_is_none)
{
	ck_assert_int_eq(OF(INT64_MAX - 2, INT64_MAX), INT64_MAX - 1);
	ck_assert_int_eq(OF(INT64_MIN, INT64_MIN + 2), INT64_MIN + 1);
	ck_assert_int_eq(OF(INT64_MIN, INT64_MAX), -1);
}
END_TEST

START_TEST(numbers_may_stand_in_other_things)
{
	const struct {
		const char *name;
		int64_t ns;
	} list[] = { { "a", 3 }, { "b", 5 }, { "c", 9 } };

	ck_assert_int_eq(median_in_order(&list->ns, 3, sizeof(*list)), 5);
	ck_assert_int_eq(median_in_order(&list->ns, 2, sizeof(*list)), 4);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("median");

	tcase_add_test(t, it_is_the_middle_one_or_between_the_two);
	tcase_add_test(t, there_is_a_middle_of_numbers_whose_sum_is_none);
	tcase_add_test(t, numbers_may_stand_in_other_things);
	return unit_run("median", t);
}
