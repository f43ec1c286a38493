/* check_index.c - the rows by name: each is found, what is none is not, whoever asks first. */
#include "tests/lib/unit.h"
#include <pthread.h>
#include <string.h>

#include "hooks/rows/ids.h"
#include "hooks/rows/index.h"
#include "hooks/rows/table.h"

/* No library has the function of a row that is injected, and some functions nobody looks up. */
static bool has_library(unsigned int row)
{
	return hook_rows[row].family[0];
}

static bool is_pattern(const char *name)
{
	return strchr(name, '*');
}

/* The first row of its name, as a HOOK_AS row has that of the HOOK row in front of it. */
static int first_with(const char *name)
{
	unsigned int row = 0;

	while (strcmp(hook_rows[row].name, name))
		row++;
	return (int)row;
}

static void *find_all(void *wrong)
{
	for (unsigned int row = 0; row < HOOK_COUNT; row++)
		if (has_library(row) && !is_pattern(hook_rows[row].name) && index_find(hook_rows[row].name) != first_with(hook_rows[row].name))
			*(const char **)wrong = hook_rows[row].name;
	return NULL;
}

START_TEST(every_row_is_found_by_its_name)
{
	const char *wrong = NULL;

	find_all(&wrong);
	ck_assert_ptr_null(wrong);
}
END_TEST

START_TEST(threads_that_come_first_at_once_find_every_row)
{
	enum { THREADS = 8 };
	const char *wrong[THREADS] = { NULL };
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, find_all, &wrong[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++)
		ck_assert_ptr_null(wrong[i]);
}
END_TEST

/* Longer, shorter, or of another letter anywhere. */
START_TEST(nobody_finds_a_row_that_is_injected_or_linked_to)
{
	unsigned int injected = 0;

	for (unsigned int row = 0; row < HOOK_COUNT; row++) {
		if (has_library(row))
			continue;
		ck_assert_int_lt(index_find(hook_rows[row].name), 0);
		injected++;
	}
	ck_assert_uint_eq(injected, 19 + 3);
}
END_TEST

START_TEST(a_name_that_no_row_has_is_not_found)
{
	char name[256];

	for (unsigned int row = 0; row < HOOK_COUNT; row++) {
		size_t n = (size_t)snprintf(name, sizeof(name), "%s?", hook_rows[row].name) - 1;

		ck_assert_msg(index_find(name) < 0, "%s", name);
		for (size_t i = 0; i < n; i++) {
			name[n] = '\0';
			name[i] ^= 0x80;
			ck_assert_msg(index_find(name) < 0, "%s", name);
			name[i] ^= 0x80;
		}
		name[n - 1] = '\0';
		ck_assert_msg(index_find(name) < 0 || strstr(hook_rows[index_find(name)].name, name), "%s", name);
	}
	ck_assert_int_lt(index_find(""), 0);
	ck_assert_int_lt(index_find("c"), 0);
	ck_assert_int_lt(index_find("cl"), 0);
	ck_assert_int_lt(index_find("aclnn*"), 0);
}
END_TEST

START_TEST(names_of_other_worlds_are_told_by_how_they_begin)
{
	static const char *const others[] = { "malloc", "PyInit_x", "clock_gettime", "_ZN5torch3cpu", "m", "" };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		ck_assert_msg(!index_may_have(others[i]), "%s", others[i]);
	ck_assert(!index_may_have(NULL));
	for (unsigned int row = 0; row < HOOK_COUNT; row++)
		ck_assert_msg(!has_library(row) || index_may_have(hook_rows[row].name), "%s", hook_rows[row].name);
}
END_TEST

static const char *fit(const char *name)
{
	int row = index_fit(name);

	return row < 0 ? "" : hook_rows[row].name;
}

START_TEST(a_name_without_a_row_may_fit_a_pattern)
{
	ck_assert_str_eq(fit("aclnnUnheardOf"), "aclnn*");
	ck_assert_str_eq(fit("aclUnheardOfGetWorkspaceSize"), "acl[A-Z]*GetWorkspaceSize");
	ck_assert_str_eq(fit("AtbGetWorkspaceSizeGetWorkspaceSize"), "Atb[A-Z]*GetWorkspaceSize");
	ck_assert_str_eq(fit("aclunheardofGetWorkspaceSize"), "");
	ck_assert_str_eq(fit("aclUnheardOfGetWorkspaceSizes"), "");
	ck_assert_str_eq(fit("aclUnheardOf"), "");
	ck_assert_str_eq(fit("acl"), "");
	ck_assert_str_eq(fit("clFinish"), "");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("index");

	tcase_add_test(t, every_row_is_found_by_its_name);
	tcase_add_test(t, threads_that_come_first_at_once_find_every_row);
	tcase_add_test(t, nobody_finds_a_row_that_is_injected_or_linked_to);
	tcase_add_test(t, a_name_that_no_row_has_is_not_found);
	tcase_add_test(t, names_of_other_worlds_are_told_by_how_they_begin);
	tcase_add_test(t, a_name_without_a_row_may_fit_a_pattern);
	return unit_run("index", t);
}
