/* check_optimizer_rounds.c - steps of several optimizers, where optimizers are letters. */
#include <string.h>

#include "agent/steps/optimizer_rounds.c"
#include "tests/lib/unit.h"

static struct optimizer_rounds rounds;
static uint32_t met, number[128];
static uint64_t stepped[128];

static void begin(void)
{
	memset(&rounds, 0, sizeof(rounds));
	memset(number, 0, sizeof(number));
	memset(stepped, 0, sizeof(stepped));
	met = 0;
}

static struct optimizer_stepped take(char letter)
{
	unsigned int i = (unsigned char)letter;

	if (!number[i])
		number[i] = ++met;
	return optimizer_rounds_take(&rounds, number[i], &stepped[i]);
}

/* The letters, and behind each that ends a step a bar, or a question mark: that step is provisional. Blanks are for the reader. */
static const char *goes_on(const char *letters)
{
	static char said[4096];
	char *to = said;

	for (; *letters; letters++) {
		struct optimizer_stepped s;

		*to++ = *letters;
		if (*letters == ' ')
			continue;
		s = take(*letters);
		if (s.ends)
			*to++ = s.provisional ? '?' : '|';
	}
	*to = '\0';
	return said;
}

static const char *steps(const char *letters)
{
	begin();
	return goes_on(letters);
}

/* What the first steps turn out to be is told apart: the last of them that is provisional. */
#define holds(letters, said, optimizer_count, first_ones)              \
	do {                                                           \
		ck_assert_str_eq(steps(letters), said);                \
		ck_assert_uint_eq(rounds.optimizers, optimizer_count); \
		ck_assert_uint_eq(rounds.provisional_to, first_ones);  \
	} while (0)

START_TEST(of_one_optimizer_each_step_ends_one)
{
	holds("A", "A|", 0, 1);
	holds("AA", "A|A|", 1, 0);
	holds("AAAA", "A|A|A|A|", 1, 0);
}
END_TEST

START_TEST(of_several_the_last_one_ends_it_once_the_round_has_repeated)
{
	holds("DG DG DG DG", "D|G D?G DG? DG|", 2, 1);
	holds("ABC ABC ABC ABC", "A|BC A?BC ABC? ABC|", 3, 1);
}
END_TEST

START_TEST(three_critics_are_one_step)
{
	holds("CCCG CCC", "C|C|C|G C?C?C?", 1, 3);
	holds("CCCG CCCG CCCG CCCG", "C|C|C|G C?C?C?G CCCG? CCCG|", 2, 3);
}
END_TEST

START_TEST(until_the_round_has_repeated_the_first_one_may_be_a_critic)
{
	ck_assert(!optimizer_rounds_unsure(&rounds));
	steps("C");
	ck_assert(optimizer_rounds_unsure(&rounds));
	goes_on("CC");
	ck_assert(optimizer_rounds_unsure(&rounds));
	goes_on("G CCC");
	ck_assert(optimizer_rounds_unsure(&rounds));
	goes_on("G");
	ck_assert(!optimizer_rounds_unsure(&rounds));
	ck_assert_uint_eq(rounds.provisional_to, 3);
}
END_TEST

START_TEST(one_that_has_stepped_a_hundred_times_is_none)
{
	begin();
	for (int i = 0; i < 101; i++) {
		ck_assert_int_eq(optimizer_rounds_unsure(&rounds), i > 0);
		take('A');
	}
	ck_assert(!optimizer_rounds_unsure(&rounds));
	goes_on("BAB");
	ck_assert_uint_eq(rounds.provisional_to, 0);
}
END_TEST

START_TEST(the_generator_may_come_first)
{
	holds("CG CCCG CCCG CCCG", "C|G C?C?C?G CCCG? CCCG|", 2, 1);
	holds("GCCC GCCC GCCC GCCC", "G|CC?C? GC?C?C? GCCC| GCCC|", 2, 1);
}
END_TEST

START_TEST(a_generator_that_steps_twice_ends_it_the_second_time)
{
	holds("DGG DGG DGG DGG", "D|GG? DG?G? DGG| DGG|", 2, 1);
	holds("CCGG CCGG CCGG CCGG", "C|C|GG? CC?GG? CCGG| CCGG|", 2, 2);
}
END_TEST

START_TEST(fewer_critics_than_before_are_one_step_more_are_learned_again)
{
	holds("CCCG CCCG CCCG CG CCG CCCG", "C|C|C|G C?C?C?G CCCG? CG| CCG| CCCG|", 2, 3);
	ck_assert_str_eq(goes_on("CCCCG CCCCG CCCG"), "CCCC?G CCCCG? CCCG|");
}
END_TEST

START_TEST(one_that_repeats_within_the_round_does_not_end_it)
{
	holds("ABABC ABABC ABABC ABABC", "A|BA?BC A?BA?BC ABABC? ABABC|", 3, 1);
	holds("ABABB ABABB ABABB ABABB", "A|BA?BB? AB?AB?B? ABABB| ABABB|", 2, 1);
}
END_TEST

START_TEST(one_that_is_frozen_is_waited_for_no_longer)
{
	holds("DG DG DG DG D D D D", "D|G D?G DG? DG| D D? D? D|", 1, 1);
	holds("DG DG DG DG G G G G", "D|G D?G DG? DG| G? G? G| G|", 1, 1);
}
END_TEST

START_TEST(any_of_three_may_be_frozen)
{
	holds("ABC ABC ABC ABC BC BC BC", "A|BC A?BC ABC? ABC| BC? BC| BC|", 2, 1);
	holds("ABC ABC ABC ABC AC AC AC", "A|BC A?BC ABC? ABC| AC? AC? AC|", 2, 1);
	holds("ABC ABC ABC ABC AB AB AB AB", "A|BC A?BC ABC? ABC| AB A?B AB? AB|", 2, 1);
}
END_TEST

START_TEST(one_that_was_frozen_may_come_back_and_be_frozen_again)
{
	holds("DG DG DG D D D D D D DG DG DG", "D|G D?G DG? D D? D? D| D| D| D|G DG? DG|", 2, 1);
	ck_assert_str_eq(goes_on("D D D"), "D D? D?");
}
END_TEST

START_TEST(one_that_starts_late_is_the_last_of_the_round)
{
	holds("D D D DG DG DG DG", "D| D| D| D|G D?G DG? DG|", 2, 0);
	holds("AB AB AB AB ABC ABC ABC ABC", "A|B A?B AB? AB| AB|C AB?C ABC? ABC|", 3, 1);
}
END_TEST

START_TEST(one_in_anothers_place_does_not_move_the_end)
{
	holds("DG DG DG EG EG EG", "D|G D?G DG? EG? EG? EG|", 2, 1);
	holds("DG DG DG EH EH EH EH", "D|G D?G DG? EH E?H EH? EH|", 2, 1);
	holds("A A A L L L L", "A| A| A| L L? L| L|", 1, 0);
}
END_TEST

START_TEST(one_that_was_there_only_at_the_beginning_is_forgotten)
{
	holds("B AAAAAAAAAA AAA", "B| AA?A?A?A?A?A?A?A?A? A?A|A|", 1, 0);
}
END_TEST

START_TEST(one_that_is_skipped_once_does_not_move_the_end)
{
	holds("DG DG DG DG G DG DG DG", "D|G D?G DG? DG| G? DG? DG? DG|", 2, 1);
	holds("DG DG DG DG D DG DG DG", "D|G D?G DG? DG| D D?G DG? DG|", 2, 1);
	holds("CCCG CCCG CCCG CCG CCCG", "C|C|C|G C?C?C?G CCCG? CCG| CCCG|", 2, 3);
}
END_TEST

START_TEST(what_never_repeats_ends_steps_as_before)
{
	holds("ABC BAC CB CAB AC", "A|BC B?AC C?B C?AB A?C", 0, 1);
}
END_TEST

START_TEST(a_thousand_optimizers_are_a_round_more_are_not)
{
	static uint64_t step[1026];

	for (uint32_t many = 1023; many <= 1025; many += 2) {
		unsigned int ends = 0, sure = 0;

		begin();
		memset(step, 0, sizeof(step));
		for (uint32_t n = 0; n < 5 * many; n++) {
			struct optimizer_stepped s = optimizer_rounds_take(&rounds, n % many + 1, &step[n % many]);

			ends += s.ends;
			sure += s.ends && n % many == many - 1;
		}
		ck_assert_uint_eq(ends, 5);
		ck_assert_uint_eq(sure, many == 1023 ? 3 : 0);
	}
}
END_TEST

START_TEST(a_child_learns_for_itself)
{
	steps("DG DG DG DG D");
	optimizer_rounds_forget(&rounds);
	ck_assert_str_eq(goes_on("G G G"), "G| G| G|");
	steps("DG DG DG DG D");
	optimizer_rounds_forget(&rounds);
	ck_assert_str_eq(goes_on("DG DG DG DG"), "D|G D?G DG? DG|");
	ck_assert_uint_eq(rounds.provisional_to, 1);
}
END_TEST

START_TEST(whatever_steps_each_step_has_someone_who_ends_it)
{
	begin();
	for (unsigned int i = 0; i < 100000; i++) {
		char letter = (char)('A' + unit_random() % (1 + i / 1000 % 5));
		struct optimizer_stepped s = take(letter);

		ck_assert_uint_le(rounds.period, OPTIMIZER_RUNS / 2);
		ck_assert(s.ends || !s.provisional);
	}
	ck_assert_uint_gt(rounds.steps, 1000);
}
END_TEST

int main(void)
{
	TCase *cases = tcase_create("optimizer rounds");

	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, of_one_optimizer_each_step_ends_one);
	tcase_add_test(cases, of_several_the_last_one_ends_it_once_the_round_has_repeated);
	tcase_add_test(cases, three_critics_are_one_step);
	tcase_add_test(cases, until_the_round_has_repeated_the_first_one_may_be_a_critic);
	tcase_add_test(cases, one_that_has_stepped_a_hundred_times_is_none);
	tcase_add_test(cases, the_generator_may_come_first);
	tcase_add_test(cases, a_generator_that_steps_twice_ends_it_the_second_time);
	tcase_add_test(cases, fewer_critics_than_before_are_one_step_more_are_learned_again);
	tcase_add_test(cases, one_that_repeats_within_the_round_does_not_end_it);
	tcase_add_test(cases, one_that_is_frozen_is_waited_for_no_longer);
	tcase_add_test(cases, any_of_three_may_be_frozen);
	tcase_add_test(cases, one_that_was_frozen_may_come_back_and_be_frozen_again);
	tcase_add_test(cases, one_that_starts_late_is_the_last_of_the_round);
	tcase_add_test(cases, one_in_anothers_place_does_not_move_the_end);
	tcase_add_test(cases, one_that_was_there_only_at_the_beginning_is_forgotten);
	tcase_add_test(cases, one_that_is_skipped_once_does_not_move_the_end);
	tcase_add_test(cases, what_never_repeats_ends_steps_as_before);
	tcase_add_test(cases, a_thousand_optimizers_are_a_round_more_are_not);
	tcase_add_test(cases, a_child_learns_for_itself);
	tcase_add_test(cases, whatever_steps_each_step_has_someone_who_ends_it);
	return unit_run("optimizer_rounds", cases);
}
