/* check_meetings.c - who waited for whom, on one host and between hosts whose clocks are apart. */
#include <stdio.h>
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/why/meetings.h"
#include "tests/lib/unit.h"

#define MEETINGS    40
#define APART	    5000000u /* ns: how much the second host's clock is ahead */
#define AHEAD(rank) ((rank) == 2 ? APART : 0u)

static struct why_run run;

/* Three ranks, the last one on a host of its own. In meeting k rank k % 3 comes 1 ms late, and all leave together, to within 2 us. */
static void meet(void)
{
	run = (struct why_run){ .count = 3, .ranks = alloc_zero(3, sizeof(*run.ranks)) };
	subjects_init(&run.subjects);
	for (uint32_t r = 0; r < 3; r++) {
		struct why_rank *rank = &run.ranks[r];
		struct why_step *step = rank->steps = alloc_zero(1, sizeof(*step));

		rank->count = 1;
		key_values_set(&rank->report.facts, "host", r == 2 ? "second" : "first");
		step->split = (struct split){ .shares = TABLE(struct share), .meetings = alloc_zero(MEETINGS, sizeof(*step->split.meetings)), .times = alloc_zero(MEETINGS, sizeof(*step->split.times)) };
		for (uint64_t k = 0; k < MEETINGS; k++) {
			uint64_t begin = 1000000000 + k * 10000000 + AHEAD(r), arrived = begin + (k % 3 == r ? 1000000 : 0), left = begin + 3000000 + (k * 7 + r) % 3 * 1000;

			step->split.meetings[step->split.meeting_count++] =
				(struct meeting_piece){ k + 70000, arrived, arrived, left, subjects_number(&run.subjects, WHY_TRANSFER, "all", ""), false };
			step->split.times[step->split.time_count++] = (struct meeting_time){ k + 70000, arrived, left, false };
		}
	}
}

static bool shared(const struct clocks *clocks)
{
	struct table meetings;
	bool alone = meetings_share(&run, clocks, &meetings);

	table_free(&meetings);
	return alone;
}

static uint64_t waited_for(uint32_t rank, uint32_t last)
{
	char number[16];
	const struct share *share;

	snprintf(number, sizeof(number), "%u", last);
	share = table_find(&run.ranks[rank].steps->split.shares, subjects_number(&run.subjects, WHY_WAIT, "all", number));
	return share ? share->ns : 0;
}

START_TEST(ranks_of_two_hosts_wait_for_the_one_that_comes_last)
{
	struct clocks clocks;

	meet();
	clocks_align(&clocks, &run);
	ck_assert_uint_eq(clocks.count, 2);
	ck_assert_int_ge(clocks.hosts[1].offset, -(int64_t)APART - 2000);
	ck_assert_int_le(clocks.hosts[1].offset, -(int64_t)APART + 2000);
	ck_assert_int_le(clocks.hosts[1].residual, 3000);
	ck_assert(!shared(&clocks));
	for (uint32_t r = 0; r < 3; r++)
		for (uint32_t last = 0; last < 3; last++) {
			uint64_t meetings = (MEETINGS + 2 - last) / 3, wanted = r == last ? 0 : meetings * 1000000;

			ck_assert_uint_ge(waited_for(r, last) + meetings * 2000, wanted);
			ck_assert_uint_le(waited_for(r, last), wanted + meetings * 2000);
		}
	clocks_free(&clocks);
}
END_TEST

/* The last rank's own host never met the first one: who was last between them is not said. */
START_TEST(where_clocks_are_not_known_nobody_waited)
{
	struct clocks clocks;

	meet();
	for (size_t k = 0; k < MEETINGS; k++)
		run.ranks[2].steps->split.times[k].meeting = run.ranks[2].steps->split.meetings[k].meeting += 1000;
	clocks_align(&clocks, &run);
	ck_assert(!clocks.hosts[1].known);
	ck_assert(!shared(&clocks)); /* the first two met */
	for (uint32_t r = 0; r < 3; r++)
		ck_assert_uint_eq(waited_for(r, 2), 0);
	ck_assert_uint_eq(waited_for(2, 0) + waited_for(2, 1), 0);
	ck_assert_uint_gt(waited_for(0, 1), 0);
	clocks_free(&clocks);
}
END_TEST

/* The second rank's numbers are one behind the others': by these it would meet the ones before. */
START_TEST(who_meets_is_told_by_the_time_where_numbers_differ)
{
	struct clocks clocks;

	meet();
	for (size_t k = 0; k < MEETINGS; k++)
		run.ranks[1].steps->split.times[k].meeting = run.ranks[1].steps->split.meetings[k].meeting = k ? k - 1 + 70000 : 60000;
	clocks_align(&clocks, &run);
	ck_assert(!shared(&clocks));
	for (uint32_t last = 0; last < 2; last++) {
		uint64_t meetings = (MEETINGS + 2 - last) / 3;

		ck_assert_uint_eq(waited_for(!last, last), meetings * 1000000);
		ck_assert_uint_eq(waited_for(last, last), 0);
	}
	clocks_free(&clocks);
}
END_TEST

/* Calls that return when all are there: the first rank's, or, on a busy machine, some time later, as the second one's. */
START_TEST(calls_that_hold_up_wait_and_others_do_not)
{
	struct clocks clocks;
	struct why_step *steps[2];
	uint32_t call;

	meet();
	call = subjects_number(&run.subjects, WHY_HOST_CALL, "all", "");
	for (uint32_t r = 0; r < 2; r++) {
		steps[r] = run.ranks[r].steps;
		for (size_t k = 0; k < MEETINGS; k++) {
			struct meeting_piece *piece = &steps[r]->split.meetings[k];
			uint64_t begin = 1000000000 + k * 10000000, arrived = begin + r * 1000000, left = begin + (k % 2 ? 1100000 + r * 4000000 : 100000 + r * 1000000);

			*piece = (struct meeting_piece){ k + 70000, arrived, arrived, left, call, true };
			steps[r]->split.times[k] = (struct meeting_time){ k + 70000, arrived, left, true };
		}
	}
	run.count = 2;
	clocks_align(&clocks, &run);
	ck_assert(!shared(&clocks)); /* calls do not tell that others should be there */
	ck_assert_uint_eq(waited_for(0, 1), MEETINGS / 2 * 1000000);
	ck_assert_uint_eq(steps[0]->waited, MEETINGS / 2 * 1000000);
	ck_assert_uint_eq(steps[1]->waited, 0);
	ck_assert_uint_eq(((struct share *)table_find(&steps[0]->split.shares, call))->ns, MEETINGS * 100000);
	ck_assert_uint_eq(((struct share *)table_find(&steps[1]->split.shares, call))->ns, MEETINGS / 2 * (4100000 + 100000));
	clocks_free(&clocks);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("meetings");

	tcase_add_test(t, ranks_of_two_hosts_wait_for_the_one_that_comes_last);
	tcase_add_test(t, where_clocks_are_not_known_nobody_waited);
	tcase_add_test(t, who_meets_is_told_by_the_time_where_numbers_differ);
	tcase_add_test(t, calls_that_hold_up_wait_and_others_do_not);
	return unit_run("meetings", t);
}
