/*
 * check_odd_sessions.c - what recover_session() makes of sessions that a kill alone does not leave: of a process that lives or has
 * called exec, half made, damaged, too large, without their slots, with nowhere to be saved to.
 */
#include "tests/lib/dead_session.h"
#include "tests/lib/recovered_file.h"

#include "tests/lib/unit.h"
#include <stdio.h>

#include "analysis/session/recover.h"

static uint64_t own_start_time(void)
{
	char text[1024], *at;
	FILE *f = fopen("/proc/self/stat", "r");
	size_t n = fread(text, 1, sizeof(text) - 1, f);

	fclose(f);
	text[n] = '\0';
	at = strrchr(text, ')');
	for (int field = 2; field < 22; field++)
		at = strchr(at + 1, ' ');
	return strtoull(at, NULL, 10);
}

START_TEST(a_live_process_is_left_alone_and_described)
{
	struct recovered r;

	status.pid = (uint32_t)getpid();
	status.start_time = own_start_time();
	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);

	ck_assert(r.live);
	ck_assert_uint_eq(r.call_count, 1);
	ck_assert_str_eq(r.calls[0].hook, "clEnqueueWriteBuffer");
	ck_assert_uint_eq(r.calls[0].tid, 12);
	ck_assert(r.calls[0].seconds > 0);
	ck_assert_int_eq(access(dir, F_OK), 0);
}
END_TEST

/* Of a rank that hangs every thread counts. */
START_TEST(each_of_a_hundred_threads_inside_a_call_is_told)
{
	struct ring_header *h = (struct ring_header *)ring_bytes;
	struct recovered r;
	char name[32];

	make_session();
	for (uint32_t i = 1; i < 100; i++) {
		h->id = i + 1;
		h->tid = 100 + i;
		snprintf(name, sizeof(name), "ring.%u", i);
		put_file(dir, name, ring_bytes, sizeof(ring_bytes));
	}
	ck_assert_int_eq(recover_session(dir, &r), 0);
	ck_assert_uint_eq(r.call_count, 100);
	ck_assert_uint_eq(r.calls[99].tid, 199);
	recovered_free(&r);
}
END_TEST

/* What is behind it used to be left out, too. */
START_TEST(a_definition_too_large_to_be_written_is_left_out_alone_and_told)
{
	static uint8_t bytes[sizeof(struct definitions_header) + (3u << 20)];
	struct definitions_header head = { .magic = DEFINITIONS_MAGIC, .size = sizeof(bytes), .used = sizeof(bytes) - sizeof(head) };
	struct definition large = { .type = DEF_STRING, .id = 9, .length = 2u << 20 };
	struct definition small = { .type = DEF_STRING, .id = 10, .length = 1u << 20 };
	struct recovered r;

	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), &large, sizeof(large));
	memcpy(bytes + sizeof(head) + large.length, &small, sizeof(small));
	for (size_t i = large.length + sizeof(small); i < large.length + small.length; i++)
		bytes[sizeof(head) + i] = (uint8_t)('a' + unit_random() % 26);
	make_session();
	put_file(dir, "definitions.1", bytes, sizeof(bytes));
	ck_assert_int_eq(recover_session(dir, &r), 0);
	ck_assert_uint_eq(r.bad, 1);
	expect_all(final, 98);
	read_back(final);
	ck_assert_ptr_null(table_find(&trace.processes[0].defs.strings, 9));
	ck_assert_ptr_nonnull(table_find(&trace.processes[0].defs.strings, 10));
	trace_close(&trace);
}
END_TEST

START_TEST(files_that_were_being_made_are_no_damage)
{
	static const uint8_t zeros[SESSION_PAGE];
	struct recovered r;

	make_session();
	put_file(dir, "definitions.1", zeros, sizeof(zeros));
	put_file(dir, "ring.7", zeros, sizeof(zeros));
	ck_assert_int_eq(recover_session(dir, &r), 0);
	ck_assert_uint_eq(r.bad, 0);
	expect_all(final, 98);
}
END_TEST

START_TEST(calls_whose_slots_ended_with_the_process_are_counted)
{
	struct ring_header *h = (struct ring_header *)ring_bytes;
	struct recovered r;

	make_session();
	h->backing = BACKING_MEMFD;
	put_file(dir, "ring.0", ring_bytes, SESSION_PAGE);
	ck_assert_int_eq(recover_session(dir, &r), 0);
	ck_assert_uint_eq(r.events, 0);
	ck_assert_uint_eq(r.bad, 0);
	ck_assert_uint_eq(r.gone, 304 - 6 - 1); /* entered, dropped, and one was under way */
	read_back(final);
	ck_assert_uint_eq(trace.processes[0].files[0].entered, 304);
	ck_assert_uint_eq(trace.processes[0].files[0].dropped, 303);
	trace_close(&trace);
}
END_TEST

START_TEST(a_process_that_called_exec_is_over)
{
	struct recovered r;

	status.pid = (uint32_t)getpid();
	status.start_time = own_start_time();
	status.state = SESSION_EXECUTED;
	make_session();
	ck_assert_int_eq(recover_session(dir, &r), 0);
	expect_all(final, 98);
}
END_TEST

/* It used to be deleted with all that it held. */
START_TEST(a_session_whose_file_name_is_unusable_is_saved_under_a_made_up_one)
{
	static const char *const names[] = { "", "no/slash" TRACE_SUFFIX, "/elsewhere/x" TRACE_SUFFIX, "/etc/passwd" };
	char wanted[1200];
	struct recovered r;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(status.final, sizeof(status.final), "%s", names[i]);
		make_session();
		ck_assert_int_eq(recover_session(dir, &r), 0);

		snprintf(wanted, sizeof(wanted), "%s/recovered-%u-%08x" TRACE_SUFFIX, folder, status.pid,
			 (uint32_t)status.file_id);
		ck_assert_str_eq(r.file, wanted);
		ck_assert_uint_eq(r.events, 98);
		ck_assert_int_ne(access(dir, F_OK), 0);
		expect_all(wanted, 98);
		unlink(wanted);
	}
}
END_TEST

START_TEST(a_session_without_any_folder_to_write_to_stays)
{
	struct recovered r;

	status.final[0] = status.save_path[0] = '\0';
	make_session();
	ck_assert_int_lt(recover_session(dir, &r), 0);
	ck_assert_int_eq(access(dir, F_OK), 0);
}
END_TEST

START_TEST(a_hostile_session_does_no_harm)
{
	static uint8_t good[sizeof(ring_bytes)];
	struct recovered r;

	memcpy(good, ring_bytes, sizeof(good));
	srandom(4);
	for (int round = 0; round < 400; round++) {
		memcpy(ring_bytes, good, sizeof(good));
		for (int i = 0; i < 1 + round % 40; i++)
			ring_bytes[(size_t)random() % (round % 2 ? 320 : sizeof(good))] =
				(uint8_t)random();
		make_session();
		recover_session(dir, &r);
		unlink(r.file);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("odd_sessions");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_live_process_is_left_alone_and_described);
	tcase_add_test(t, each_of_a_hundred_threads_inside_a_call_is_told);
	tcase_add_test(t, a_definition_too_large_to_be_written_is_left_out_alone_and_told);
	tcase_add_test(t, files_that_were_being_made_are_no_damage);
	tcase_add_test(t, calls_whose_slots_ended_with_the_process_are_counted);
	tcase_add_test(t, a_process_that_called_exec_is_over);
	tcase_add_test(t, a_session_whose_file_name_is_unusable_is_saved_under_a_made_up_one);
	tcase_add_test(t, a_session_without_any_folder_to_write_to_stays);
	tcase_add_test(t, a_hostile_session_does_no_harm);
	return unit_run("odd_sessions", t);
}
