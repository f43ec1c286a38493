/* check_destination.c - files of an export: all of them under their names, or none. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/export/destination.h"
#include "tests/lib/unit.h"

static char folder[64];

static void enter(void)
{
	snprintf(folder, sizeof(folder), "/tmp/ranktrace-destination.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	ck_assert_ptr_nonnull(freopen("said", "w+", stderr));
}

static void leave(void)
{
	ck_assert_int_eq(unlink("said"), 0);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(folder), 0);
}

static const char *said(void)
{
	static char text[1024];
	ssize_t n;

	fflush(stderr);
	n = pread(fileno(stderr), text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

START_TEST(a_file_beyond_its_readers_limit_names_steps_and_is_not_left)
{
	struct destination *d = destination_open("out.json", false);
	struct out *o;

	destination_limit(d, 100);
	o = destination_file(d, NULL);
	for (int i = 0; i < 100; i++)
		out_text(o, "two");
	out_flush(o);
	ck_assert(!destination_is_well(d));
	ck_assert(!destination_close(d, true));
	ck_assert_str_eq(said(), "ranktrace: out.json: more than 100 bytes, which is all that its readers take; export fewer steps at a time with --steps\n");
	ck_assert_int_eq(access("out.json", F_OK), -1);
}
END_TEST

START_TEST(of_several_limits_the_file_s_own_is_told)
{
	struct destination *d = destination_open("made", true);
	struct out *first;

	destination_limit(d, 100);
	first = destination_file(d, "first.csv");
	destination_limit(d, 200);
	destination_file(d, "second.json");
	for (int i = 0; i < 100; i++)
		out_text(first, "two");
	ck_assert(!destination_close(d, true));
	ck_assert_str_eq(said(), "ranktrace: made/first.csv: more than 100 bytes, which is all that its readers take; export fewer steps at a time with --steps\n");
}
END_TEST

START_TEST(a_file_that_somebody_else_writes_is_told_of_under_its_name)
{
	struct destination *d = destination_open("made", true);
	const char *path;

	destination_limit(d, 100);
	path = destination_path(d, "a.db");
	destination_limit(d, 200);
	destination_path_failed(d, path, 0);
	destination_path_failed(d, path, ENOSPC); /* it is said once */
	ck_assert(!destination_close(d, true));
	ck_assert_str_eq(said(), "ranktrace: made/a.db: more than 100 bytes, which is all that its readers take; export fewer steps at a time with --steps\n");
	ck_assert_int_eq(access("made", F_OK), -1);
}
END_TEST

START_TEST(one_within_its_limit_is_there)
{
	struct destination *d = destination_open("out.json", false);

	destination_limit(d, 100);
	out_text(destination_file(d, NULL), "{}");
	ck_assert(destination_close(d, true));
	ck_assert_int_eq(unlink("out.json"), 0);
	ck_assert_str_eq(said(), "");
}
END_TEST

START_TEST(a_packed_file_counts_as_it_lies_there)
{
	struct destination *d = destination_open("out.zst", false);
	struct out *o;

	destination_packing(d, packing_of_name("out.zst"));
	destination_limit(d, 100);
	o = destination_file(d, NULL);
	for (int i = 0; i < 1000; i++)
		out_text(o, "one and one are two; ");
	ck_assert(destination_close(d, true));
	ck_assert_int_eq(unlink("out.zst"), 0);
}
END_TEST

START_TEST(what_fails_leaves_no_file_and_no_folder)
{
	struct destination *d = destination_open("made", true);

	out_text(destination_file(d, "deep/er/a.csv"), "1\n");
	ck_assert_ptr_nonnull(destination_path(d, "deep/b.db"));
	destination_fail(d);
	ck_assert(!destination_close(d, true));
	ck_assert_int_eq(access("made", F_OK), -1);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("destination");

	tcase_add_checked_fixture(t, enter, leave);
	tcase_add_test(t, a_file_beyond_its_readers_limit_names_steps_and_is_not_left);
	tcase_add_test(t, of_several_limits_the_file_s_own_is_told);
	tcase_add_test(t, a_file_that_somebody_else_writes_is_told_of_under_its_name);
	tcase_add_test(t, one_within_its_limit_is_there);
	tcase_add_test(t, a_packed_file_counts_as_it_lies_there);
	tcase_add_test(t, what_fails_leaves_no_file_and_no_folder);
	return unit_run("destination", t);
}
