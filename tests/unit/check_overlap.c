#include "analysis/util/overlap.h"

#include <stdio.h>
#include <string.h>

#include "tests/lib/unit.h"

static char told[1024];

static void tell(void *context, enum overlap_bar bar, uint64_t begin, uint64_t end)
{
	(void)context;
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%c%u-%u ", "CMNF"[bar], (unsigned int)begin, (unsigned int)end);
}

static struct overlap fresh(void)
{
	told[0] = '\0';
	return (struct overlap){ .bar = tell };
}

START_TEST(communication_under_computing_is_told_apart)
{
	struct overlap o = fresh();

	overlap_cut(&o, 10, true);
	overlap_add(&o, BAR_COMPUTING, 20, 40);
	overlap_add(&o, BAR_COMMUNICATION, 30, 60);
	overlap_cut(&o, 70, false);
	ck_assert_str_eq(told, "F10-20 C20-40 M30-60 N40-60 F60-70 ");
}
END_TEST

START_TEST(work_that_touches_is_one_bar)
{
	struct overlap o = fresh();

	overlap_cut(&o, 0, true);
	overlap_add(&o, BAR_COMPUTING, 0, 5);
	overlap_add(&o, BAR_COMPUTING, 5, 9);
	overlap_add(&o, BAR_COMPUTING, 7, 8);
	overlap_cut(&o, 9, false);
	ck_assert_str_eq(told, "C0-9 ");
}
END_TEST

START_TEST(no_bar_crosses_a_cut)
{
	struct overlap o = fresh();

	overlap_cut(&o, 0, true);
	overlap_add(&o, BAR_COMPUTING, 5, 15);
	overlap_cut(&o, 10, true);
	overlap_cut(&o, 20, true);
	ck_assert_str_eq(told, "F0-5 C5-10 C10-15 F15-20 ");
}
END_TEST

START_TEST(where_nothing_was_recorded_is_no_free_time)
{
	struct overlap o = fresh();

	overlap_cut(&o, 0, true);
	overlap_add(&o, BAR_COMMUNICATION, 2, 4);
	overlap_cut(&o, 6, false);
	overlap_add(&o, BAR_COMPUTING, 8, 9);
	overlap_cut(&o, 10, true);
	overlap_cut(&o, 12, false);
	ck_assert_str_eq(told, "F0-2 M2-4 N2-4 F4-6 C8-9 F10-12 ");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("overlap");

	tcase_add_test(t, communication_under_computing_is_told_apart);
	tcase_add_test(t, work_that_touches_is_one_bar);
	tcase_add_test(t, no_bar_crosses_a_cut);
	tcase_add_test(t, where_nothing_was_recorded_is_no_free_time);
	return unit_run("overlap", t);
}
