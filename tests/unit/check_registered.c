/* check_registered.c - stubs of kernels by module: found by name while their module is there, in memory that is used again. */
#include <stdio.h>
#include "agent/session/session.h"
#include "tests/lib/unit.h"

#include "agent/os/pages.c"
#include "agent/record/handles.c"
#include "hooks/capture/runtime/registered.c"

static struct session_status status;
struct session_status *session = &status;

static struct registered all;
static char modules[70000], stubs[200000][2];

static void begin(void)
{
	all = (struct registered){ .reusing = ATOMIC_FLAG_INIT };
}

static void *gone[8];
static unsigned int gone_count;

static void note(void *data, const void *stub)
{
	(void)data;
	if (gone_count < 8)
		gone[gone_count] = (void *)stub;
	gone_count++;
}

static void end(const void *module)
{
	gone_count = 0;
	registered_end(&all, module, note, NULL);
}

static const char *name_of(const void *stub, const void *whose)
{
	const void *module = NULL;
	const char *name = registered_name(&all, stub, &module);

	if (name)
		ck_assert_ptr_eq(module, whose);
	return name;
}

START_TEST(stubs_are_found_while_their_module_is_there)
{
	registered_add(&all, &modules[0], stubs[0], "first");
	registered_add(&all, &modules[0], stubs[1], "second");
	registered_add(&all, &modules[1], stubs[2], "third");
	ck_assert_str_eq(name_of(stubs[1], &modules[0]), "second");
	ck_assert_str_eq(name_of(stubs[2], &modules[1]), "third");
	ck_assert_ptr_null(name_of(stubs[3], NULL));
	end(&modules[0]);
	ck_assert_uint_eq(gone_count, 2);
	ck_assert_ptr_eq(gone[0], stubs[0]);
	ck_assert_ptr_null(name_of(stubs[1], NULL));
	ck_assert_str_eq(name_of(stubs[2], &modules[1]), "third");
	end(&modules[0]); /* nobody knows it any more */
	ck_assert_uint_eq(gone_count, 0);
}
END_TEST

START_TEST(a_stub_of_two_modules_is_the_first_one_s_while_that_is_there)
{
	registered_add(&all, &modules[2], stubs[9], "of one that ends");
	end(&modules[2]);
	registered_add(&all, &modules[0], stubs[0], "first"); /* where that was */
	registered_add(&all, &modules[1], stubs[0], "second");
	ck_assert_str_eq(name_of(stubs[0], &modules[0]), "first");
	end(&modules[0]);
	ck_assert_str_eq(name_of(stubs[0], &modules[1]), "second");
}
END_TEST

START_TEST(there_is_room_for_many_stubs_and_what_was_a_module_s_is_used_again)
{
	for (int i = 0; i < 200000; i++)
		registered_add(&all, &modules[i / 50000], stubs[i], "kernel");
	ck_assert_str_eq(name_of(stubs[123456], &modules[2]), "kernel");
	ck_assert_uint_eq(atomic_load(&all.count), 200000);
	end(&modules[2]);
	ck_assert_uint_eq(gone_count, 50000);
	for (int turn = 0; turn < 100; turn++) {
		for (int i = 100000; i < 150000; i++)
			registered_add(&all, &modules[5], stubs[i], "again");
		ck_assert_str_eq(name_of(stubs[123456], &modules[5]), "again");
		end(&modules[5]);
	}
	ck_assert_uint_eq(atomic_load(&all.used), 4 * ((50000 + STUBS - 1) / STUBS));
}
END_TEST

START_TEST(what_finds_no_room_is_counted)
{
	for (int i = 0; i < 70000; i++)
		registered_add(&all, &modules[i], stubs[i], "kernel");
	ck_assert_uint_eq(atomic_load(&all.count), BLOCKS - 1);
	ck_assert_uint_eq(atomic_load(&status.beyond[LIMIT_untracked_handles]), 70000 - (BLOCKS - 1));
	ck_assert_str_eq(name_of(stubs[BLOCKS - 2], &modules[BLOCKS - 2]), "kernel");
	ck_assert_ptr_null(name_of(stubs[BLOCKS - 1], NULL));
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("registered");

	tcase_set_timeout(c, 60);
	tcase_add_checked_fixture(c, begin, NULL);
	tcase_add_test(c, stubs_are_found_while_their_module_is_there);
	tcase_add_test(c, a_stub_of_two_modules_is_the_first_one_s_while_that_is_there);
	tcase_add_test(c, there_is_room_for_many_stubs_and_what_was_a_module_s_is_used_again);
	tcase_add_test(c, what_finds_no_room_is_counted);
	return unit_run("registered", c);
}
