/* check_recover.c - sessions of dead processes made by hand, and what recover_session() saves. */
#include "tests/lib/dead_session.h"

#include "tests/lib/unit.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "analysis/session/recover.h"
#include "analysis/trace/trace.h"

/* ---- what is in the file afterwards ---- */

struct seen {
	unsigned int events, steps[8], threads[16];
	const char *kernel;
};

static void see(void *context, const struct trace_event *ev)
{
	struct seen *seen = context;

	seen->events++;
	seen->steps[ev->step & 7]++;
	seen->threads[ev->tid & 15]++;
	ck_assert_ptr_nonnull(ev->launch);
	ck_assert_str_eq(ev->launch->name, "adam");
}

static struct trace trace;

static struct seen read_back(const char *path)
{
	char *paths[] = { (char *)path };
	struct seen seen = { 0 };
	struct visitor v = { .event = see, .context = &seen };

	trace_open(&trace, paths, 1);
	ck_assert_uint_eq(trace.count, 1);
	ck_assert_int_eq(process_load(&trace.processes[0]), 0);
	process_events(&trace.processes[0], &v);
	return seen;
}

static void expect_all(const char *path, unsigned int events)
{
	struct seen seen = read_back(path);
	const struct process *p = &trace.processes[0];

	ck_assert_uint_eq(seen.events, events);
	ck_assert_uint_eq(seen.steps[5], 48);
	ck_assert_uint_eq(seen.threads[12], 39);
	ck_assert(p->has_rank && p->rank == 3);
	ck_assert(p->files[0].ended && p->files[0].recovered);
	ck_assert_uint_eq(p->files[0].entered, 304);
	ck_assert_uint_eq(p->files[0].dropped, 6);
	ck_assert_str_eq(process_fact(p, "unrecorded.clReleaseMemObject"), "17");
	ck_assert_str_eq(process_fact(p, "in_call.12"), "clEnqueueWriteBuffer");
	trace_close(&trace);
}

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
	TCase *t = tcase_create("recover");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_session_without_a_file_gets_one);
	tcase_add_test(t, a_torn_part_file_is_completed_without_doubles);
	tcase_add_test(t, an_interrupted_recovery_is_finished_without_doubles);
	tcase_add_test(t, a_second_file_of_the_same_name_gets_a_number);
	tcase_add_test(t, a_renamed_file_needs_nothing_more);
	tcase_add_test(t, empty_rings_without_a_file_make_no_file);
	tcase_add_test(t, a_rank_that_nobody_selected_is_not_written);
	tcase_add_test(t, slots_beyond_max_size_count_as_dropped);
	tcase_add_test(t, a_live_process_is_left_alone_and_described);
	tcase_add_test(t, each_of_a_hundred_threads_inside_a_call_is_told);
	tcase_add_test(t, a_definition_too_large_to_be_written_is_left_out_alone_and_told);
	tcase_add_test(t, files_that_were_being_made_are_no_damage);
	tcase_add_test(t, calls_whose_slots_ended_with_the_process_are_counted);
	tcase_add_test(t, a_process_that_called_exec_is_over);
	tcase_add_test(t, a_session_whose_file_name_is_unusable_is_saved_under_a_made_up_one);
	tcase_add_test(t, a_session_without_any_folder_to_write_to_stays);
	tcase_add_test(t, a_hostile_session_does_no_harm);
	return unit_run("recover", t);
}
