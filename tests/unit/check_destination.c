/* check_destination.c - files of an export: all of them under their names, or none. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAVE_SQLITE
#include "analysis/export/ascend/db_file.h"
#endif
#include "analysis/export/destination.h"
#include "analysis/export/exporter.h"
#include "analysis/export/limits.h"
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

static void expect_100_bytes_told(struct destination *d, const char *file)
{
	char told[200];

	ck_assert(!destination_close(d, true));
	snprintf(told, sizeof(told), "ranktrace: %s: more than 100 bytes, which is all that its readers take; export fewer steps at a time with --steps\n", file);
	ck_assert_str_eq(said(), told);
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
	expect_100_bytes_told(d, "out.json");
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
	expect_100_bytes_told(d, "made/first.csv");
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
	expect_100_bytes_told(d, "made/a.db");
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

/* A fork of ours puts bytes into a table. */
static bool take_piece(struct destination *d, unsigned int bytes)
{
	FILE *pipes[2];
	int fds[2];
	pid_t child;
	struct pieces *pieces;

	ck_assert_int_eq(pipe(fds), 0);
	pipes[0] = fdopen(fds[0], "r");
	pipes[1] = fdopen(fds[1], "w");
	child = fork();
	if (!child) {
		struct out *o;

		destination_be_pieces(d, false);
		o = destination_table(d, "a.csv", "head\n");
		for (unsigned int i = 0; i < bytes; i++)
			out_char(o, '1');
		_exit(destination_send(d, pipes[1]) && !fclose(pipes[1]) ? 0 : 1);
	}
	fclose(pipes[1]);
	pieces = destination_receive(pipes[0]);
	fclose(pipes[0]);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	return destination_take(d, pieces);
}

START_TEST(what_forks_wrote_counts_together)
{
	struct destination *d = destination_open("made", true);

	destination_limit(d, 100);
	ck_assert(take_piece(d, 60));
	ck_assert(!take_piece(d, 60));
	expect_100_bytes_told(d, "made/a.csv");
	ck_assert_int_eq(access("made", F_OK), -1);
}
END_TEST

/* Nothing is there of what is said to be written already. */
static void reach(uint64_t limit, const char *told)
{
	struct destination *d = destination_open("out", false);
	struct out *o;

	destination_limit(d, limit);
	o = destination_file(d, NULL);
	out_written(o, limit - 2);
	out_text(o, "{}");
	out_flush(o);
	ck_assert(destination_is_well(d));
	out_char(o, ' ');
	ck_assert(!destination_close(d, true));
	ck_assert_msg(strstr(said(), told), "%s", said());
	ck_assert_ptr_nonnull(freopen("said", "w+", stderr));
}

START_TEST(limits_of_5_and_10_GiB_are_told_in_GiB)
{
	ck_assert_uint_eq(csv_exporter.limit, LIMIT_CSV);
	ck_assert_uint_eq(chrome_exporter.limit, LIMIT_JSON);
	reach(csv_exporter.limit, "ranktrace: out: more than 5 GiB, which is all that its readers take;");
	reach(chrome_exporter.limit, "ranktrace: out: more than 10 GiB, which is all that its readers take;");
}
END_TEST

#ifdef HAVE_SQLITE
/* A file with a hole, and no page more to be had. */
static void fill_database(off_t size)
{
	struct destination *d = destination_open("made", true);
	struct db_file f;

	db_file_open(&f, d, "a.db");
	db_file_run(&f, "CREATE TABLE t(x); COMMIT; PRAGMA max_page_count=1; BEGIN");
	ck_assert_int_eq(truncate(f.path, size), 0);
	db_file_run(&f, "INSERT INTO t VALUES (zeroblob(1000000))");
	db_file_close(&f);
	ck_assert(!destination_close(d, true));
	ck_assert_int_eq(access("made", F_OK), -1);
}

START_TEST(a_database_of_20_GiB_is_told_apart_from_a_full_disk)
{
	fill_database(LIMIT_DATABASE);
	ck_assert_str_eq(said(), "ranktrace: made/a.db: more than 20 GiB, which is all that its readers take; export fewer steps at a time with --steps\n");
	ck_assert_ptr_nonnull(freopen("said", "w+", stderr));
	fill_database(1u << 20);
	ck_assert_ptr_nonnull(strstr(said(), "ranktrace: made/a.db: No space left on device"));
}
END_TEST
#endif

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
	tcase_add_test(t, what_forks_wrote_counts_together);
	tcase_add_test(t, limits_of_5_and_10_GiB_are_told_in_GiB);
#ifdef HAVE_SQLITE
	tcase_add_test(t, a_database_of_20_GiB_is_told_apart_from_a_full_disk);
#endif
	return unit_run("destination", t);
}
