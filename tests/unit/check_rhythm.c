/* check_rhythm.c - the guess of a step source, where launches are letters. */
#include <string.h>

#include "analysis/report/kernel_rows.h"
#include "tests/lib/unit.h"

typedef const struct kernel_row *rule(const struct report *r);

/* The kernel that a rule guesses ('A' .. 'Z'; `named` is called sgd_kernel instead); '-': none. */
static char guess_by(rule *by, const char *launches, char named)
{
	struct kernel_row rows[26] = { 0 };
	struct report r = { .kernels = rows, .kernel_count = 26 };
	const struct kernel_row *found;
	char names[26][2] = { 0 };

	for (int i = 0; i < 26; i++) {
		names[i][0] = (char)('A' + i);
		rows[i].kind = EV_LAUNCH;
		rows[i].name = 'A' + i == named ? "sgd_kernel" : names[i];
	}
	for (size_t i = 0; launches[i]; i++)
		period_take(&rows[launches[i] - 'A'].period, 7, i);
	for (int i = 0; i < 26; i++)
		rows[i].period.behind = strlen(launches) - rows[i].period.last - 1;
	found = by(&r);
	return found ? (char)('A' + (found - rows)) : '-';
}

static char guess(const char *launches, char named)
{
	return guess_by(periodic_kernels_equal, launches, named);
}

START_TEST(the_last_kernel_of_equal_steps_is_the_guess)
{
	ck_assert_int_eq(guess("ABCABCABCABC", 0), 'C');
}
END_TEST

START_TEST(launches_in_a_row_are_one_step_not_several)
{
	ck_assert_int_eq(guess("ABCCCABCCCABCCC", 0), 'C');
}
END_TEST

START_TEST(a_kernel_that_is_rare_because_it_only_sets_up_is_no_guess)
{
	ck_assert_int_eq(guess("XXYXABCABCABCABC", 0), 'C');
	ck_assert_int_eq(guess("XYXYXYABCABCABCABCABC", 0), 'C');
}
END_TEST

START_TEST(a_first_step_that_is_longer_than_the_others_does_no_harm)
{
	ck_assert_int_eq(guess("ABXYCABCABCABC", 0), 'C');
	ck_assert_int_eq(guess("ABXCABDABDABDABD", 0), 'D');
}
END_TEST

START_TEST(a_kernel_of_every_layer_is_not_once_a_step)
{
	ck_assert_int_eq(guess("ABABABCDABABABCDABABABCD", 0), 'D');
	ck_assert_int_eq(guess("ABABABABLDCDCDCDCEABABABABLDCDCDCDCEABABABABLDCDCDCDCE", 0), 'E');
}
END_TEST

START_TEST(an_optimizer_by_its_name_comes_before_others_as_regular)
{
	ck_assert_int_eq(guess("ASZASZASZASZ", 'S'), 'S');
}
END_TEST

START_TEST(where_nothing_is_regular_nothing_is_guessed)
{
	ck_assert_int_eq(guess("", 0), '-');
	ck_assert_int_eq(guess("AAAAAAAA", 0), '-');
	ck_assert_int_eq(guess("ABAC", 0), '-');
	ck_assert_int_eq(guess("ABBACADAEEEEEA", 0), '-');
	ck_assert_int_eq(guess("SASASXYZXXYYZXZZYYX", 'S'), '-');
}
END_TEST

START_TEST(where_steps_are_not_equal_the_last_of_the_rarest_that_go_together_is)
{
	const char *varied = "XYABABABCDABABCDABABABABCDABCDABABABCDABABCD", *at_random = "ABABZCDABABCDABZABCDABABCDZABABCDABABCD";

	ck_assert_int_eq(guess(varied, 0), '-');
	ck_assert_int_eq(guess_by(periodic_kernels_alike, varied, 0), 'D');
	ck_assert_int_eq(guess(at_random, 0), '-');
	ck_assert_int_eq(guess_by(periodic_kernels_alike, at_random, 0), 'D');
}
END_TEST

START_TEST(what_comes_alone_too_seldom_too_late_or_no_more_is_not)
{
	ck_assert_int_eq(guess_by(periodic_kernels_alike, "ABCABCABBCABC", 0), '-');				/* four times */
	ck_assert_int_eq(guess_by(periodic_kernels_alike, "AAABAAAABAAABAAAAABAAAB", 0), '-');			/* nothing goes with it */
	ck_assert_int_eq(guess_by(periodic_kernels_alike, "CDXCDYXCDXCDXCDXABABABABABABABABABABABAB", 0), '-'); /* C and D are over */
	ck_assert_int_eq(guess_by(periodic_kernels_alike, "ABABABABABABABABABABABABCDXCDYCDXCDXCDX", 0), '-');	/* and here they begin */
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("period");

	tcase_add_test(t, the_last_kernel_of_equal_steps_is_the_guess);
	tcase_add_test(t, launches_in_a_row_are_one_step_not_several);
	tcase_add_test(t, a_kernel_that_is_rare_because_it_only_sets_up_is_no_guess);
	tcase_add_test(t, a_first_step_that_is_longer_than_the_others_does_no_harm);
	tcase_add_test(t, a_kernel_of_every_layer_is_not_once_a_step);
	tcase_add_test(t, an_optimizer_by_its_name_comes_before_others_as_regular);
	tcase_add_test(t, where_nothing_is_regular_nothing_is_guessed);
	tcase_add_test(t, where_steps_are_not_equal_the_last_of_the_rarest_that_go_together_is);
	tcase_add_test(t, what_comes_alone_too_seldom_too_late_or_no_more_is_not);
	return unit_run("period", t);
}
