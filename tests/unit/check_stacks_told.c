/* check_stacks_told.c - which of the stacks that were asked for a run cannot have, and the launcher says so. */
#include <stdlib.h>
#include "analysis/launch/stacks_told.h"
#include "tests/lib/config_helpers.h"

static const struct {
	const char *yaml;
	bool no_level;
} asked[] = {
	{ "level: level_none\n", false },
	{ "contents: [module, stack]\n", false },
	{ "contents: [module]\nlevel: level_none\n", true },
	{ "contents: [stack]\nlevel: level_none\n", true },
	{ "contents: [module]\nlevel: level_none\nroles: {actor: {level: level1}}\n", false },
	{ "roles: {actor: {level: level_none, contents: [stack]}}\n", true },
	{ "roles: {actor: {enable: false, level: level_none, contents: [stack]}}\n", false },
};

START_TEST(at_level_none_there_are_none_of_all_or_of_a_role)
{
	ck_assert_msg(!load_text(asked[_i].yaml), "%s", error);
	ck_assert_int_eq(stacks_have_no_level(&config), asked[_i].no_level);
}
END_TEST

/* As long as no folder has it that is looked into without a cache. */
static bool is_missing(const char *yaml, const char *cache)
{
	ck_assert_msg(!load_text(yaml), "%s", error);
	write_file(cache, strlen(cache));
	return stacks_have_no_unwinder(&config, FILE_NAME);
}

START_TEST(an_unwinder_that_is_not_there_is_missed_where_it_is_wanted)
{
	bool elsewhere = !access("/lib64/libunwind.so.8", R_OK) || !access("/usr/lib/libunwind.so.8", R_OK);

	unsetenv("LD_LIBRARY_PATH");
	ck_assert_int_eq(is_missing("contents: [stack]\n", "/lib/libc.so.6"), !elsewhere);
	ck_assert_int_eq(is_missing("contents: [cpu]\nroles: {actor: {contents: [stack]}}\n", "/lib/libunwind.so.1"), !elsewhere);
	ck_assert(!is_missing("contents: [stack]\n", "/lib/libc.so.6 /lib/libunwind.so.8"));
	ck_assert(!is_missing("contents: [module]\n", "/lib/libc.so.6"));
	ck_assert(!is_missing("contents: [stack]\nstack_by: fp\n", "/lib/libc.so.6"));
	ck_assert_msg(!load_text("contents: [stack]\n"), "%s", error);
	ck_assert(!stacks_have_no_unwinder(&config, "no such file"));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("stacks told");

	tcase_add_loop_test(t, at_level_none_there_are_none_of_all_or_of_a_role, 0, sizeof(asked) / sizeof(asked[0]));
	tcase_add_test(t, an_unwinder_that_is_not_there_is_missed_where_it_is_wanted);
	return run_cases("stacks told", t);
}
