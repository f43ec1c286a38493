/* check_bounded_lock.c - who has it is waited for, for tens of milliseconds if need be, and not for ever; by a signal handler on top of it not at all. */
#include <sched.h>
#include <string.h>
#include "tests/lib/unit.h"

static unsigned int yields;

static int some_yield(void)
{
	yields++;
	return sched_yield();
}

#define sched_yield some_yield
#include "agent/os/bounded_lock.c"
#undef sched_yield

static struct bounded_lock l;
static unsigned int sleeps, leaves_after; /* so many sleeps; 0: never */

bool futex_wait(_Atomic uint32_t *word, uint32_t seen, unsigned int milliseconds)
{
	ck_assert_uint_eq(*word, seen);
	ck_assert_uint_eq(milliseconds, 1);
	if (++sleeps == leaves_after)
		bounded_lock_leave(&l);
	return false;
}

static void begin(void)
{
	memset(&l, 0, sizeof(l));
	yields = sleeps = leaves_after = 0;
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
	ck_assert(!bounded_lock_take(&l, 2));
	ck_assert_uint_eq(sleeps, 100);
	ck_assert(!bounded_lock_take(&l, 2));
	ck_assert_uint_eq(sleeps, 100);
	bounded_lock_leave(&l);
	ck_assert(bounded_lock_take(&l, 2));
	ck_assert(!bounded_lock_take(&l, 1));
	ck_assert_uint_eq(sleeps, 200);
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
	return unit_run("bounded_lock", c);
}
