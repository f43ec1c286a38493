/*
 * What becomes of a table of handles as it fills: it grows, and no handle is lost or slower to find. In the environment:
 * RACES, how many handles threads put into places of their neighbours', and CAME, how many come and go.
 */
#include "agent/os/pages.h"
#include "tests/lib/unit.h"

static unsigned int tables, tables_most = -1u; /* so many may be had */

static void *some_pages(size_t size)
{
	return tables < tables_most ? tables++, pages_take(size) : NULL;
}

#include "agent/os/pages.c"
#define pages_take some_pages
#include "agent/record/handles.c"
#undef pages_take

static struct session_status status;
struct session_status *session = &status;
static struct handles t;

#define MANY  200000u
#define SORTS 5 /* of addresses */

static void begin(void)
{
	t = (struct handles){ .slots = NULL };
	tables = 0;
	tables_most = -1u;
	status.beyond[LIMIT_untracked_handles] = 0;
}

static uint64_t how_many(const char *variable, uint64_t usual)
{
	const char *said = getenv(variable);

	return said ? strtoull(said, NULL, 10) : usual;
}

/* As the heap gives them out, as a device's allocator does, and anyhow. */
static uint64_t address(unsigned int sort, uint64_t i)
{
	static const uint64_t distance[] = { 16, 112, 512, 2097152 };

	return sort < SORTS - 1 ? 0x12c041200000 + i * distance[sort] : (i + 1) * 0xD6E8FEB86659FD93ull | 1;
}

/* How many slots are looked at to find it, or to see that it is not there. */
static unsigned int looks(uint64_t key)
{
	unsigned int n = 0;

	for (struct handle_slot *slots = newest_of(&t); slots; slots = table_of(slots)->older)
		for (struct handle_slot *s = home_of(slots, key), *end = s + PROBES; s < end; s++) {
			n++;
			if (is_alive(s, key))
				return n;
			if (is_free(s) && had(s, 0))
				break;
		}
	return n;
}

/* What programs hand out wrongly: no place, and the place before it, which free slots look like. */
START_TEST(what_is_no_handle_is_not_found)
{
	ck_assert_ptr_null(handles_get(&t, 0));
	ck_assert_ptr_null(handles_get(&t, UINT64_MAX));
	handles_put(&t, 64, 1, 2);
	ck_assert_ptr_null(handles_get(&t, 0));
	ck_assert_ptr_null(handles_get(&t, UINT64_MAX));
	ck_assert_ptr_nonnull(handles_get(&t, 64));
}
END_TEST

START_TEST(every_handle_of_many_is_found)
{
	for (uint64_t i = 0; i < MANY; i++)
		ck_assert_ptr_nonnull(handles_put(&t, address((unsigned int)_i, i), i, ~i));
	for (uint64_t i = 0; i < MANY; i++) {
		struct handle_slot *s = handles_get(&t, address((unsigned int)_i, i));

		ck_assert(s && s->a == i && s->b == ~i);
	}
	ck_assert_ptr_null(handles_get(&t, address((unsigned int)_i, MANY)));
	ck_assert_uint_eq(status.beyond[LIMIT_untracked_handles], 0);
}
END_TEST

START_TEST(a_handle_among_many_takes_few_looks)
{
	uint64_t sum = 0, usual = 0;

	for (uint64_t i = 0; i < MANY; i++)
		handles_put(&t, address((unsigned int)_i, i), 0, 0);
	for (uint64_t i = 0; i < MANY; i++) {
		sum += looks(address((unsigned int)_i, i));
		usual += !!handles_peek(&t, address((unsigned int)_i, i));
	}
	ck_assert_uint_lt(sum, MANY * 4);
	ck_assert_uint_gt(usual, MANY / 3);
}
END_TEST

START_TEST(slots_of_handles_that_are_forgotten_serve_others)
{
	for (uint64_t i = 0; i < 4 * MANY; i++) {
		handles_put(&t, address((unsigned int)_i, i), i, 0);
		if (i >= 1000)
			handles_forget(handles_get(&t, address((unsigned int)_i, i - 1000)));
	}
	ck_assert_uint_eq(tables, 1);
	for (uint64_t i = 4 * MANY - 1000; i < 4 * MANY; i++)
		ck_assert_uint_eq(handles_get(&t, address((unsigned int)_i, i))->a, i);
}
END_TEST

/* Beside some that stay. All that comes later has other addresses. */
START_TEST(handles_that_came_and_went_make_no_other_slower_to_find)
{
	uint64_t came = how_many("CAME", 4 * MANY), sum = 0, most = 0, stay = 1000;

	for (uint64_t i = 0; i < stay; i++)
		handles_put(&t, i << 4 | 1ull << 50, i, 0);
	for (uint64_t i = 0; i < came; i++) {
		uint64_t key = 0x7f0000000000 + unit_random() % (1ull << 38) / 64 * 64;
		struct handle_slot *s = handles_put(&t, key, i, 0);
		unsigned int n = looks(key);

		if (!s || handles_get(&t, key) != s || s->a != i)
			ck_abort_msg("handle %llu is not found", (unsigned long long)i);
		handles_forget(s);
		sum += n;
		most = n > most ? n : most;
	}
	ck_assert_uint_eq(tables, 1);
	ck_assert_uint_lt(sum, came + came / 20);
	ck_assert_uint_le(most, PROBES);
	for (uint64_t i = 0; i < stay; i++)
		ck_assert_uint_eq(handles_get(&t, i << 4 | 1ull << 50)->a, i);
	ck_assert_uint_le(looks(16), PROBES);
}
END_TEST

START_TEST(what_is_in_an_older_table_is_replaced_retained_and_forgotten_there)
{
	uint64_t key = address(0, 0);
	struct handle_slot *first = handles_put(&t, key, 1, 1);

	for (uint64_t i = 1; i < MANY; i++)
		handles_put(&t, address(0, i), i, 0);
	ck_assert_uint_gt(tables, 1);
	ck_assert_ptr_eq(handles_put(&t, key, 2, 1), first);
	ck_assert_uint_eq(handles_get(&t, key)->a, 2);
	handles_retain(&t, key);
	ck_assert_ptr_null(handles_release(&t, key));
	ck_assert_ptr_eq(handles_release(&t, key), first);
	handles_forget(first);
	ck_assert_ptr_null(handles_get(&t, key));
	ck_assert_uint_eq(handles_put(&t, key, 3, 1)->a, 3);
	ck_assert_uint_eq(handles_get(&t, key)->a, 3);
}
END_TEST

START_TEST(handles_that_no_table_is_had_for_are_counted_and_the_others_stay)
{
	uint64_t kept = 0, found = 0;

	tables_most = 1;
	for (uint64_t i = 0; i < MANY; i++)
		kept += !!handles_put(&t, address(2, i), i, 0);
	for (uint64_t i = 0; i < MANY; i++)
		found += !!handles_get(&t, address(2, i));
	ck_assert_uint_gt(kept, 50000);
	ck_assert_uint_eq(found, kept);
	ck_assert_uint_eq(status.beyond[LIMIT_untracked_handles], MANY - kept);
}
END_TEST

START_TEST(no_handle_and_the_last_number_are_not_remembered)
{
	handles_put(&t, 16, 0, 0);
	ck_assert_ptr_null(handles_put(&t, 0, 1, 1));
	ck_assert_ptr_null(handles_put(&t, UINT64_MAX, 1, 1));
	ck_assert_ptr_null(handles_get(&t, 0));
	ck_assert_uint_eq(status.beyond[LIMIT_untracked_handles], 0);
}
END_TEST

#define THREADS 4

static void *put_and_forget(void *number)
{
	uint64_t of = (uint64_t)((uintptr_t)number + 1) << 40;

	for (uint64_t i = 1; i <= MANY / THREADS; i++) {
		ck_assert_ptr_nonnull(handles_put(&t, of | i << 4, i, 0));
		if (i % 4 == 0)
			handles_forget(handles_get(&t, of | i << 4));
		else
			ck_assert_uint_eq(handles_get(&t, of | i << 4)->a, i);
	}
	return NULL;
}

START_TEST(threads_put_and_forget_while_the_table_grows)
{
	unit_in_threads(THREADS, put_and_forget);
	for (uint64_t n = 1; n <= THREADS; n++)
		for (uint64_t i = 1; i <= MANY / THREADS; i++)
			ck_assert_int_eq(!!handles_get(&t, n << 40 | i << 4), i % 4 != 0);
}
END_TEST

#define NEIGHBOURS 8 /* of each thread; all belong into one place */

static uint64_t neighbours[THREADS][NEIGHBOURS], races;
static _Atomic uint64_t lost, anothers;

static void find_neighbours(void)
{
	uint64_t mask = HANDLES_MASK(FIRST_BITS);

	for (uint64_t key = 0x1000, n = 0; n < THREADS * NEIGHBOURS; key += 16)
		if (handles_home(NULL, mask, key) == handles_home(NULL, mask, 0x1000)) {
			neighbours[n % THREADS][n / THREADS] = key;
			n++;
		}
}

static void *race(void *which)
{
	const uint64_t *keys = neighbours[(uintptr_t)which];

	for (uint64_t i = 0; i < races / THREADS; i++) {
		uint64_t key = keys[i % NEIGHBOURS];
		struct handle_slot *s;

		handles_put(&t, key, key, ~key);
		s = handles_get(&t, key);
		if (!s)
			atomic_fetch_add(&lost, 1);
		else if (atomic_load(&s->a) != key || atomic_load(&s->b) != ~key)
			atomic_fetch_add(&anothers, 1);
		handles_forget(s);
	}
	return NULL;
}

START_TEST(threads_that_race_for_a_place_find_their_own_values)
{
	races = how_many("RACES", 1000000);
	find_neighbours();
	unit_in_threads(THREADS, race);
	ck_assert_uint_eq(lost, 0);
	ck_assert_uint_eq(anothers, 0);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("handles");

	tcase_set_timeout(c, 600);
	tcase_add_checked_fixture(c, begin, NULL);
	tcase_add_test(c, what_is_no_handle_is_not_found);
	tcase_add_loop_test(c, every_handle_of_many_is_found, 0, SORTS);
	tcase_add_loop_test(c, a_handle_among_many_takes_few_looks, 0, SORTS);
	tcase_add_loop_test(c, slots_of_handles_that_are_forgotten_serve_others, 0, SORTS);
	tcase_add_test(c, handles_that_came_and_went_make_no_other_slower_to_find);
	tcase_add_test(c, what_is_in_an_older_table_is_replaced_retained_and_forgotten_there);
	tcase_add_test(c, handles_that_no_table_is_had_for_are_counted_and_the_others_stay);
	tcase_add_test(c, no_handle_and_the_last_number_are_not_remembered);
	tcase_add_test(c, threads_put_and_forget_while_the_table_grows);
	tcase_add_test(c, threads_that_race_for_a_place_find_their_own_values);
	return unit_run("handles", c);
}
