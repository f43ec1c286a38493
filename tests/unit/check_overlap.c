/* check_overlap.c - computing, communication and free time of a device as bars. Work and bars are written alike: C20-40 is computing from 20 to 40. */
#include "analysis/util/overlap.h"

#include <stdio.h>
#include <string.h>

#include "tests/lib/unit.h"

static const char letters[] = "CMNF"; /* computing, communication, the same not overlapped, free */

static char told[1024];

static void tell(void *context, enum overlap_bar bar, uint64_t begin, uint64_t end)
{
	(void)context;
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%c%u-%u ", letters[bar], (unsigned int)begin, (unsigned int)end);
}

/* Of this work; a cut behind which it is recorded is +10, one behind which it is not -10. */
static const char *bars_of(const char *work)
{
	struct overlap o = { .bar = tell };
	unsigned int begin, end;
	int length;
	char what;

	told[0] = '\0';
	for (; sscanf(work, " %c%u%n", &what, &begin, &length) == 2; work += length) {
		work += length;
		length = 0;
		if (sscanf(work, "-%u%n", &end, &length) == 1)
			overlap_add(&o, strchr(letters, what) - letters, begin, end);
		else
			overlap_cut(&o, begin, what == '+');
	}
	ck_assert_str_eq(work, "");
	return told;
}

START_TEST(communication_under_computing_is_told_apart)
{
	ck_assert_str_eq(bars_of("+10 C20-40 M30-60 -70"), "F10-20 C20-40 M30-60 N40-60 F60-70 ");
}
END_TEST

START_TEST(work_that_touches_is_one_bar)
{
	ck_assert_str_eq(bars_of("+0 C0-5 C5-9 C7-8 -9"), "C0-9 ");
}
END_TEST

START_TEST(no_bar_crosses_a_cut)
{
	ck_assert_str_eq(bars_of("+0 C5-15 +10 +20"), "F0-5 C5-10 C10-15 F15-20 ");
}
END_TEST

START_TEST(where_nothing_was_recorded_is_no_free_time)
{
	ck_assert_str_eq(bars_of("+0 M2-4 -6 C8-9 +10 -12"), "F0-2 M2-4 N2-4 F4-6 C8-9 F10-12 ");
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
