/* check_bounded_lock.c - who has it is waited for, for tens of milliseconds if need be, and not for ever; by a signal handler on top of it not at all. */
#include <string.h>
#include "tests/lib/unit.h"

#define MS 1000000u /* ns */

static uint64_t clock_now, yield_takes; /* ns */
static unsigned int yields;

static int some_yield(void)
{
	yields++;
	clock_now += yield_takes;
	return 0;
}

#define sched_yield some_yield
#include "agent/os/bounded_lock.c"
#undef sched_yield

static struct bounded_lock l;
static unsigned int sleeps, leaves_after; /* so many sleeps; 0: never */
static bool is_taken_again;

uint64_t clock_now_ns(void)
{
	return clock_now;
}

bool futex_wait(_Atomic uint32_t *word, uint32_t seen, unsigned int milliseconds)
{
	ck_assert_uint_eq(*word, seen);
	ck_assert_uint_eq(milliseconds, 1);
	clock_now += MS;
	if (++sleeps == leaves_after) {
		bounded_lock_leave(&l);
		ck_assert(!is_taken_again || bounded_lock_take(&l, 3));
	}
	return false;
}

static void begin(void)
{
	memset(&l, 0, sizeof(l));
	clock_now = MS;
	yield_takes = 500;
	yields = sleeps = leaves_after = 0;
	is_taken_again = false;
}

/* ns that nobody waits longer for */
static uint64_t waited_in_vain(uintptr_t self)
{
	uint64_t began = clock_now;

	ck_assert(!bounded_lock_take(&l, self));
	return clock_now - began;
}

START_TEST(one_has_it_at_a_time)
{
	ck_assert(bounded_lock_take(&l, 1));
	ck_assert(!bounded_lock_take(&l, 2));
	bounded_lock_leave(&l);
	ck_assert(bounded_lock_take(&l, 2));
}
END_TEST

START_TEST(who_has_it_does_not_wait_for_itself)
{
	ck_assert(bounded_lock_take(&l, 1));
	ck_assert(!bounded_lock_take(&l, 1));
	ck_assert_uint_eq(yields + sleeps, 0);
}
END_TEST

START_TEST(who_was_stopped_for_long_is_waited_for)
{
	leaves_after = 90;
	ck_assert(bounded_lock_take(&l, 1));
	ck_assert(bounded_lock_take(&l, 2));
	ck_assert_uint_eq(sleeps, 90);
	ck_assert_uint_gt(yields, 1000);
}
END_TEST

/* Where the holder is gone for good each one would wait as long, at every step. */
START_TEST(after_one_has_waited_in_vain_nobody_sleeps_until_it_is_had_again)
{
	ck_assert(bounded_lock_take(&l, 1));
	ck_assert_uint_eq(waited_in_vain(2), 100 * MS);
	sleeps = 0;
	ck_assert_uint_eq(waited_in_vain(2), MS);
	ck_assert_uint_eq(sleeps, 0);
	bounded_lock_leave(&l);
	ck_assert(bounded_lock_take(&l, 2));
	ck_assert_uint_eq(waited_in_vain(1), 100 * MS);
}
END_TEST

/* There a yield gives away what the scheduler gives others: thousands of them took seconds. */
START_TEST(on_a_busy_processor_nobody_waits_longer)
{
	yield_takes = 4 * MS;
	ck_assert(bounded_lock_take(&l, 1));
	ck_assert_uint_eq(waited_in_vain(2), 100 * MS);
	ck_assert_uint_eq(yields, 1);
	ck_assert_uint_eq(waited_in_vain(2), yield_takes);
	ck_assert_uint_eq(yields, 2);
}
END_TEST

START_TEST(who_was_outrun_by_others_has_not_waited_in_vain)
{
	is_taken_again = true;
	leaves_after = 50;
	ck_assert(bounded_lock_take(&l, 1));
	ck_assert_uint_eq(waited_in_vain(2), 100 * MS);
	ck_assert_uint_eq(waited_in_vain(2), 100 * MS);
	ck_assert_uint_eq(waited_in_vain(2), MS);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("bounded_lock");

	tcase_add_checked_fixture(c, begin, NULL);
	tcase_add_test(c, one_has_it_at_a_time);
	tcase_add_test(c, who_has_it_does_not_wait_for_itself);
	tcase_add_test(c, who_was_stopped_for_long_is_waited_for);
	tcase_add_test(c, after_one_has_waited_in_vain_nobody_sleeps_until_it_is_had_again);
	tcase_add_test(c, on_a_busy_processor_nobody_waits_longer);
	tcase_add_test(c, who_was_outrun_by_others_has_not_waited_in_vain);
	return unit_run("bounded_lock", c);
}
