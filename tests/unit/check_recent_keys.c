/* check_recent_keys.c - of the newest keys each has its own value or is forgotten, and what was dropped or taken never comes back. */
#include <string.h>
#include "tests/lib/unit.h"
#include "agent/record/recent_keys.c"

static struct recent_keys r;

static void begin(void)
{
	memset(&r, 0, sizeof(r));
}

static uint64_t key(uint64_t i)
{
	return recent_keys_of(0x7f0000000000 + 64 * i, 1);
}

/* Keys whose first place is the same. */
static unsigned int neighbours(uint64_t *keys, unsigned int n)
{
	struct recent_way *home = recent_place_of(&r, key(0)).home;
	unsigned int found = 0;

	for (uint64_t i = 0; found < n && i < 100000000; i++)
		if (recent_place_of(&r, key(i)).home == home)
			keys[found++] = key(i);
	return found;
}

START_TEST(keys_that_fit_are_all_there)
{
	for (uint64_t i = 0; i < RECENT_SETS; i++)
		recent_keys_put(&r, key(i), i + 1);
	for (uint64_t i = 0; i < RECENT_SETS; i++)
		ck_assert_uint_eq(recent_keys_get(&r, key(i)), i + 1);
	ck_assert_uint_eq(recent_keys_get(&r, key(RECENT_SETS)), 0);
	ck_assert(!r.forgetful);
}
END_TEST

START_TEST(a_key_that_is_put_again_has_the_new_value)
{
	recent_keys_put(&r, key(1), 5);
	recent_keys_put(&r, key(1), 6);
	ck_assert_uint_eq(recent_keys_get(&r, key(1)), 6);
	ck_assert_uint_eq(recent_keys_drop(&r, key(1)), 6);
	ck_assert_uint_eq(recent_keys_drop(&r, key(1)), 0);
	ck_assert_uint_eq(recent_keys_get(&r, key(1)), 0);
}
END_TEST

/* Each of those that were put elsewhere has one place, also when its first one has become free meanwhile. */
START_TEST(what_is_dropped_is_gone_from_wherever_it_was)
{
	uint64_t keys[RECENT_WAYS];

	ck_assert_uint_eq(neighbours(keys, RECENT_WAYS), RECENT_WAYS);
	for (unsigned int i = 0; i < RECENT_WAYS; i++)
		recent_keys_put(&r, keys[i], 10 + i);
	for (unsigned int i = 0; i < RECENT_WAYS; i++)
		ck_assert_uint_eq(recent_keys_get(&r, keys[i]), 10 + i);
	ck_assert_uint_eq(recent_keys_drop(&r, keys[0]), 10);
	for (unsigned int i = 1; i < RECENT_WAYS; i++) {
		recent_keys_put(&r, keys[i], 20 + i);
		ck_assert_uint_eq(recent_keys_drop(&r, keys[i]), 20 + i);
		ck_assert_uint_eq(recent_keys_get(&r, keys[i]), 0);
	}
	ck_assert(!r.forgetful);
}
END_TEST

START_TEST(the_oldest_of_too_many_is_forgotten_and_that_is_known)
{
	uint64_t keys[RECENT_WAYS + 1];
	unsigned int there = 0;

	ck_assert_uint_eq(neighbours(keys, RECENT_WAYS + 1), RECENT_WAYS + 1);
	for (unsigned int i = 0; i <= RECENT_WAYS; i++)
		recent_keys_put(&r, keys[i], 10 + i);
	for (unsigned int i = 0; i <= RECENT_WAYS; i++) {
		uint64_t value = recent_keys_get(&r, keys[i]);

		ck_assert(!value || value == 10 + i);
		there += !!value;
	}
	ck_assert_uint_eq(there, RECENT_WAYS);
	ck_assert_uint_eq(recent_keys_get(&r, keys[RECENT_WAYS]), 10 + RECENT_WAYS);
	ck_assert(r.forgetful);
}
END_TEST

START_TEST(no_key_of_very_many_has_the_value_of_another)
{
	for (uint64_t i = 0; i < 1000000; i++) {
		recent_keys_put(&r, key(i), i + 1);
		ck_assert_uint_eq(recent_keys_get(&r, key(i)), i + 1);
		if (i % 3 == 0)
			ck_assert_uint_eq(recent_keys_drop(&r, key(i)), i + 1);
	}
	for (uint64_t i = 0; i < 1000000; i++) {
		uint64_t value = recent_keys_get(&r, key(i));

		ck_assert(!value || (value == i + 1 && i % 3));
	}
}
END_TEST

/* ---- what is lent ---- */

/* As plans do. */
static void lend(uint64_t which, uint64_t value)
{
	if (!recent_keys_lend_at_home(&r, which, value))
		recent_keys_lend(&r, which, value);
}

static uint64_t take(uint64_t which, bool keep)
{
	uint64_t value = keep ? 0 : recent_keys_take_at_home(&r, which);

	return value ? value : recent_keys_take(&r, which, keep);
}

START_TEST(what_is_lent_is_taken_once_and_may_be_lent_again)
{
	lend(key(1), 5);
	ck_assert_uint_eq(take(key(2), false), 0);
	ck_assert_uint_eq(take(key(1), true), 5);
	ck_assert_uint_eq(take(key(1), false), 5);
	ck_assert_uint_eq(take(key(1), false), 0);
	lend(key(1), 6);
	lend(key(1), 7);
	ck_assert_uint_eq(take(key(1), false), 7);
	ck_assert(!r.forgetful);
}
END_TEST

/* Those that were taken are none of a set's, those that were not are the older ones. */
START_TEST(what_was_taken_makes_room_and_nothing_else_does_without_being_missed)
{
	uint64_t keys[2 * RECENT_WAYS + 1];

	ck_assert_uint_eq(neighbours(keys, 2 * RECENT_WAYS + 1), 2 * RECENT_WAYS + 1);
	for (unsigned int i = 0; i < RECENT_WAYS; i++)
		lend(keys[i], 10 + i);
	for (unsigned int i = 0; i < RECENT_WAYS; i++)
		ck_assert_uint_eq(take(keys[i], false), 10 + i);
	for (unsigned int i = RECENT_WAYS; i < 2 * RECENT_WAYS; i++)
		lend(keys[i], 10 + i);
	ck_assert(!r.forgetful);
	for (unsigned int i = 0; i < 2 * RECENT_WAYS; i++)
		ck_assert_uint_eq(take(keys[i], true), i < RECENT_WAYS ? 0 : 10 + i);
	lend(keys[2 * RECENT_WAYS], 1);
	ck_assert(r.forgetful);
	ck_assert_uint_eq(take(keys[2 * RECENT_WAYS], false), 1);
}
END_TEST

/* As where two threads' stores have met. */
START_TEST(what_is_another_keys_is_nobodys_and_missed)
{
	lend(key(1), 5);
	recent_place_of(&r, key(1)).home->value = 6 | (key(2) & RECENT_MARK);
	ck_assert_uint_eq(take(key(1), false), 0);
	ck_assert(r.forgetful);
}
END_TEST

START_TEST(of_very_many_that_are_taken_at_once_none_is_missed)
{
	for (uint64_t i = 0; i < 1000000; i++) {
		lend(key(i), i + 1);
		ck_assert_uint_eq(take(key(i), false), i + 1);
	}
	for (uint64_t i = 0; i < 1000000; i++)
		ck_assert_uint_eq(take(key(i), false), 0);
	ck_assert(!r.forgetful);
}
END_TEST

/* ---- threads ---- */

#define THREADS 4
#define ROUNDS	200000u
static _Atomic uint64_t wrong;

/* Each has keys of its own, all of them in a few sets. */
static void *come_and_go(void *which)
{
	uint64_t first = (uint64_t)(uintptr_t)which * 1000000;

	for (uint64_t i = 0; i < ROUNDS; i++) {
		uint64_t mine = key(first + i % 500), value = first + i + 1, seen;

		recent_keys_put(&r, mine, value);
		seen = recent_keys_get(&r, mine);
		wrong += seen && seen != value;
		seen = recent_keys_drop(&r, mine);
		wrong += seen && seen != value;
		wrong += recent_keys_get(&r, mine) != 0;
	}
	return NULL;
}

START_TEST(threads_get_their_own_or_nothing)
{
	unit_in_threads(THREADS, come_and_go);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* All want the same ways, so that stores do meet. */
#define EACH 5
static uint64_t crowd[THREADS * EACH];

static void *lend_and_take(void *which)
{
	uint64_t first = (uint64_t)(uintptr_t)which * 1000000;

	for (uint64_t i = 0; i < ROUNDS; i++) {
		uint64_t mine = crowd[i % EACH * THREADS + (uintptr_t)which % THREADS], value = first + i + 1, seen;

		lend(mine, value);
		seen = take(mine, i % 2);
		wrong += seen && seen != value;
		seen = take(mine, false);
		wrong += seen && (seen != value || i % 2 == 0);
		wrong += take(mine, false) != 0;
	}
	return NULL;
}

START_TEST(threads_take_what_they_were_lent_or_nothing)
{
	ck_assert_uint_eq(neighbours(crowd, THREADS * EACH), THREADS * EACH);
	unit_in_threads(THREADS, lend_and_take);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("recent_keys");

	tcase_set_timeout(c, 600);
	tcase_add_checked_fixture(c, begin, NULL);
	tcase_add_test(c, keys_that_fit_are_all_there);
	tcase_add_test(c, a_key_that_is_put_again_has_the_new_value);
	tcase_add_test(c, what_is_dropped_is_gone_from_wherever_it_was);
	tcase_add_test(c, the_oldest_of_too_many_is_forgotten_and_that_is_known);
	tcase_add_test(c, no_key_of_very_many_has_the_value_of_another);
	tcase_add_test(c, what_is_lent_is_taken_once_and_may_be_lent_again);
	tcase_add_test(c, what_was_taken_makes_room_and_nothing_else_does_without_being_missed);
	tcase_add_test(c, what_is_another_keys_is_nobodys_and_missed);
	tcase_add_test(c, of_very_many_that_are_taken_at_once_none_is_missed);
	tcase_add_test(c, threads_get_their_own_or_nothing);
	tcase_add_test(c, threads_take_what_they_were_lent_or_nothing);
	return unit_run("recent_keys", c);
}
