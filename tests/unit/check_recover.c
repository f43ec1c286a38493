/* check_recover.c - sessions of dead processes made by hand, and what recover_session() saves, and where to. */
#include "tests/lib/dead_session.h"
#include "tests/lib/recovered_file.h"

#include "tests/lib/unit.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "agent/format/causes.h"
#include "analysis/session/recover.h"

START_TEST(a_session_without_a_file_gets_one)
{
	struct recovered r;

	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);

	ck_assert_uint_eq(r.events, 98);
	ck_assert_str_eq(r.file, final);
	ck_assert_int_ne(access(dir, F_OK), 0);
	ck_assert_int_ne(access(part, F_OK), 0);
	expect_all(final, 98);
}
END_TEST

/* Two killed rank 0 of two groups are two ranks. */
START_TEST(the_group_of_workers_is_in_the_file)
{
	struct recovered r;

	strcpy(status.worker_group, "actor");
	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);

	read_back(final);
	ck_assert_str_eq(process_fact(&trace.processes[0], "worker_group"), "actor");
	trace_close(&trace);
}
END_TEST

/* A file that holds slots 190 to 219 already (the tail was not moved on), then a torn chunk. */
static void make_part(void)
{
	struct maker m;
	struct event slots[30];
	char command[400];
	int fd;

	snprintf(command, sizeof(command), "mkdir -p %s/job/rank3", folder);
	ck_assert_int_eq(system(command), 0);
	fd = open(part, O_RDWR | O_CREAT | O_EXCL, 0600);
	ck_assert_int_ge(fd, 0);
	maker_open(&m, fd);
	maker_clock(&m, 5);
	maker_text(&m, CHUNK_FILE, "host=h\nclock=ns\n");
	for (size_t i = 0; i < 30; i++)
		slots[i] = (struct event){
			.begin = 1000 * (190 + i),
			.duration = 10,
			.hook = HOOK_LAUNCH,
			.stream = 1,
			.key = 7,
		};
	maker_clock(&m, 500000);
	maker_events(&m, 1, 11, 4, 190, slots, 30, 200, 0);
	maker_events(&m, 1, 11, 4, 220, slots, 30, 200, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)m.w.offset - 20), 0);
	chunk_writer_free(&m.w);
	close(fd);
	snprintf(status.file, sizeof(status.file), "%s", part);
}

START_TEST(a_torn_part_file_is_completed_without_doubles)
{
	struct recovered r;

	make_part();
	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);

	ck_assert_uint_eq(r.events, 78);
	expect_all(final, 108);
}
END_TEST

START_TEST(an_interrupted_recovery_is_finished_without_doubles)
{
	struct recovered r;
	struct stat st;

	make_part();
	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);
	ck_assert_int_eq(stat(final, &st), 0);

	/* As if it had been killed at any point before the rename. */
	for (off_t size = st.st_size; size > 0; size -= 100) {
		char command[800];

		snprintf(command, sizeof(command), "cp %s %s", final, part);
		ck_assert_int_eq(system(command), 0);
		ck_assert_int_eq(truncate(part, size), 0);
		snprintf(status.final, sizeof(status.final), "%s.again" TRACE_SUFFIX, final);
		make_session();
		ck_assert_int_eq(recover_session(dir, &r), 0);
		if (size > 700) /* what was never in the rings is lost below that */
			expect_all(r.file, 108);
		unlink(r.file);
	}
}
END_TEST

START_TEST(a_second_file_of_the_same_name_gets_a_number)
{
	struct recovered r;
	char command[400];

	snprintf(command, sizeof(command), "mkdir -p %s/job/rank3; touch %s", folder, final);
	ck_assert_int_eq(system(command), 0);
	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);

	ck_assert_str_ne(r.file, final);
	expect_all(r.file, 98);
}
END_TEST

START_TEST(a_renamed_file_needs_nothing_more)
{
	struct recovered r;

	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);
	snprintf(status.file, sizeof(status.file), "%s", part);
	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);

	ck_assert_uint_eq(r.events, 0);
	ck_assert_int_ne(access(dir, F_OK), 0);
	expect_all(final, 98);
}
END_TEST

START_TEST(empty_rings_without_a_file_make_no_file)
{
	struct recovered r;

	((struct ring_header *)ring_bytes)->tail = HEAD;
	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);

	ck_assert_str_eq(r.file, "");
	ck_assert_int_ne(access(dir, F_OK), 0);
	ck_assert_int_ne(access(final, F_OK), 0);
}
END_TEST

START_TEST(a_rank_that_nobody_selected_is_not_written)
{
	struct recovered r;

	status.cause = CAUSE_NOT_SELECTED;
	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);
	ck_assert_str_eq(r.file, "");
	ck_assert_int_ne(access(final, F_OK), 0);
}
END_TEST

START_TEST(slots_beyond_max_size_count_as_dropped)
{
	struct recovered r;

	status.cause = CAUSE_MAX_SIZE;
	make_part();
	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);
	ck_assert_uint_eq(r.events, 0);
	ck_assert_uint_eq(read_back(final).events, 30);
	ck_assert_uint_eq(trace.processes[0].files[0].dropped, 6 + 78);
	trace_close(&trace);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("recover");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_session_without_a_file_gets_one);
	tcase_add_test(t, the_group_of_workers_is_in_the_file);
	tcase_add_test(t, a_torn_part_file_is_completed_without_doubles);
	tcase_add_test(t, an_interrupted_recovery_is_finished_without_doubles);
	tcase_add_test(t, a_second_file_of_the_same_name_gets_a_number);
	tcase_add_test(t, a_renamed_file_needs_nothing_more);
	tcase_add_test(t, empty_rings_without_a_file_make_no_file);
	tcase_add_test(t, a_rank_that_nobody_selected_is_not_written);
	tcase_add_test(t, slots_beyond_max_size_count_as_dropped);
	return unit_run("recover", t);
}
