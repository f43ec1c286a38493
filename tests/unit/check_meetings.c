/* check_meetings.c - who waited for whom, on one host and between hosts whose clocks are apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/why/kept.h"
#include "analysis/why/meetings.h"
#include "tests/lib/unit.h"

#define MEETINGS    40
#define APART	    5000000u /* ns: how much the second host's clock is ahead */
#define AHEAD(rank) ((rank) == 2 ? APART : 0u)

static struct why_run run;
static struct split splits[3];

/* Three ranks, the last one on a host of its own. In meeting k rank k % 3 comes 1 ms late, and all leave together, to within 2 us. */
static void meet(void)
{
	run = (struct why_run){ .count = 3, .ranks = alloc_zero(3, sizeof(*run.ranks)) };
	subjects_init(&run.subjects);
	for (uint32_t r = 0; r < 3; r++) {
		struct why_rank *rank = &run.ranks[r];
		struct split *split = &splits[r];

		rank->count = 1;
		rank->steps = alloc_zero(1, sizeof(*rank->steps));
		rank->steps->rank = r;
		key_values_set(&rank->report.facts, "host", r == 2 ? "second" : "first");
		*split = (struct split){ .shares = TABLE(struct share), .meetings = alloc_zero(MEETINGS, sizeof(*split->meetings)), .times = alloc_zero(MEETINGS, sizeof(*split->times)) };
		for (uint64_t k = 0; k < MEETINGS; k++) {
			uint64_t begin = 1000000000 + k * 10000000 + AHEAD(r), arrived = begin + (k % 3 == r ? 1000000 : 0), left = begin + 3000000 + (k * 7 + r) % 3 * 1000;

			split->meetings[split->meeting_count++] =
				(struct meeting_piece){ .meeting = k + 70000, .arrived = arrived, .begin = arrived, .end = left, .subject = subjects_number(&run.subjects, WHY_TRANSFER, "all", "") };
			split->times[split->time_count++] = (struct meeting_time){ k + 70000, arrived, left, false };
		}
	}
}

/* As it is read; all in a file, as there is no memory for it. */
static void align(struct clocks *clocks)
{
	for (size_t r = 0; r < 3; r++) {
		struct keeping k = { 0 };

		keeping_add(&k, run.ranks[r].steps, &splits[r]);
		kept_put(&run, &run.ranks[r], &k, NULL, 0);
		keeping_free(&k);
		split_free(&splits[r]);
	}
	clocks_align(clocks, &run);
}

static bool shared(const struct clocks *clocks)
{
	struct table meetings;
	bool alone = meetings_share(&run, clocks, &meetings);

	table_free(&meetings);
	return alone;
}

static uint64_t spent(uint32_t rank, uint32_t subject)
{
	struct table shares = kept_shares(&run, run.ranks[rank].steps);
	const struct share *share = table_find(&shares, subject);
	uint64_t ns = share ? share->ns : 0;

	table_free(&shares);
	return ns;
}

static uint64_t waited_for(uint32_t rank, uint32_t last)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", last);
	return spent(rank, subjects_number(&run.subjects, WHY_WAIT, "all", number));
}

START_TEST(ranks_of_two_hosts_wait_for_the_one_that_comes_last)
{
	struct clocks clocks;

	meet();
	align(&clocks);
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
		splits[2].times[k].meeting = splits[2].meetings[k].meeting += 1000;
	align(&clocks);
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
		splits[1].times[k].meeting = splits[1].meetings[k].meeting = k ? k - 1 + 70000 : 60000;
	align(&clocks);
	ck_assert(!shared(&clocks));
	for (uint32_t last = 0; last < 2; last++) {
		uint64_t meetings = (MEETINGS + 2 - last) / 3;

		ck_assert_uint_eq(waited_for(!last, last), meetings * 1000000);
		ck_assert_uint_eq(waited_for(last, last), 0);
	}
	clocks_free(&clocks);
}
END_TEST

/* What is kept of steps is in memory then, as it is where there is little of it. */
START_TEST(where_no_file_can_be_written_it_is_the_same)
{
	struct clocks clocks;

	meet();
	setenv("TMPDIR", "/nowhere", 1);
	align(&clocks);
	unsetenv("TMPDIR");
	ck_assert(run.ranks[0].kept.pieces.bytes);
	ck_assert(!shared(&clocks));
	ck_assert_uint_ge(waited_for(0, 1) + 1000000, MEETINGS / 3 * 1000000);
	clocks_free(&clocks);
}
END_TEST

/* Calls that return when all are there: the first rank's, or, on a busy machine, some time later, as the second one's. */
START_TEST(calls_that_hold_up_wait_and_others_do_not)
{
	struct clocks clocks;
	uint32_t call;

	meet();
	call = subjects_number(&run.subjects, WHY_HOST_CALL, "all", "");
	for (uint32_t r = 0; r < 2; r++) {
		for (size_t k = 0; k < MEETINGS; k++) {
			uint64_t begin = 1000000000 + k * 10000000, arrived = begin + r * 1000000, left = begin + (k % 2 ? 1100000 + r * 4000000 : 100000 + r * 1000000);

			splits[r].meetings[k] = (struct meeting_piece){ .meeting = k + 70000, .arrived = arrived, .begin = arrived, .end = left, .subject = call, .by_host = true };
			splits[r].times[k] = (struct meeting_time){ k + 70000, arrived, left, true };
		}
	}
	run.count = 2;
	align(&clocks);
	ck_assert(!shared(&clocks)); /* calls do not tell that others should be there */
	ck_assert_uint_eq(waited_for(0, 1), MEETINGS / 2 * 1000000);
	ck_assert_uint_eq(run.ranks[0].steps->waited, MEETINGS / 2 * 1000000);
	ck_assert_uint_eq(run.ranks[1].steps->waited, 0);
	ck_assert_uint_eq(spent(0, call), MEETINGS * 100000);
	ck_assert_uint_eq(spent(1, call), MEETINGS / 2 * (4100000 + 100000));
	clocks_free(&clocks);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("meetings");

	tcase_add_test(t, ranks_of_two_hosts_wait_for_the_one_that_comes_last);
	tcase_add_test(t, where_clocks_are_not_known_nobody_waited);
	tcase_add_test(t, who_meets_is_told_by_the_time_where_numbers_differ);
	tcase_add_test(t, where_no_file_can_be_written_it_is_the_same);
	tcase_add_test(t, calls_that_hold_up_wait_and_others_do_not);
	return unit_run("meetings", t);
}
