/* check_clock.c - which clock is read, and ticks to time: one clock a process, however many files it wrote. */
#include "tests/lib/unit.h"
#include <fenv.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/os/clock.c"
#include "agent/record/record.h"
#include "agent/record/ring_write.c"
#include "analysis/report/section.h"
#include "analysis/trace/trace.h"
#include "tests/lib/small_traces.h"

#define CALLS	100 /* of each file */
#define CHANGE	2000000
#define NEAR_NS 10000

static char folder[32], paths[2][64];

/* Ticks are half nanoseconds; `off` says how wrong the reading is. */
static void read_clock(struct maker *m, uint64_t ticks, uint64_t off)
{
	m->w.clock.ticks = ticks;
	m->w.clock.monotonic = ticks / 2 + off;
	m->w.clock.realtime = MAKER_REALTIME + m->w.clock.monotonic;
}

static void make_file(struct maker *m, int number)
{
	maker_open(m, open(paths[number], O_CREAT | O_RDWR | O_TRUNC, 0600));
	ck_assert_int_ge(m->w.fd, 0);
}

static void put_text(struct maker *m)
{
	ck_assert_int_eq(maker_text(m, CHUNK_FILE, "host=h\npid=41\nrank=3\nclock=tsc\n"), 0);
	maker_usual_defs(m);
	ck_assert_int_eq(maker_put_defs(m), 0);
}

/* Calls of one thread, the first at those ticks, 100 ticks from one to the next. */
static void put_calls(struct maker *m, uint64_t ticks, uint64_t first_slot)
{
	struct event slots[CALLS];

	for (size_t i = 0; i < CALLS; i++)
		slots[i] = (struct event){
			.begin = ticks + 100 * i,
			.duration = 40,
			.hook = HOOK_LAUNCH,
			.key = 7,
		};
	ck_assert_int_eq(maker_events(m, 1, 11, 2, first_slot, slots, CALLS, CALLS, 0), 0);
}

static void end_file(struct maker *m)
{
	ck_assert_int_eq(maker_text(m, CHUNK_END, "reason=window\n"), 0);
	close(m->w.fd);
	chunk_writer_free(&m->w);
}

/* The thread calls on while one window ends, 4 us late by its clock, and the next begins. */
static void make_two_files(void)
{
	struct maker m;

	make_file(&m, 0);
	read_clock(&m, 0, 0);
	put_text(&m);
	read_clock(&m, CHANGE, 4000);
	put_calls(&m, CHANGE - 100 * CALLS, 0);
	end_file(&m);

	make_file(&m, 1);
	read_clock(&m, CHANGE + 10, 0);
	put_text(&m);
	read_clock(&m, 2 * CHANGE, 0);
	put_calls(&m, CHANGE, CALLS);
	end_file(&m);
}

struct times {
	size_t count;
	uint64_t begin[2 * CALLS];
};

static void take_time(void *context, const struct trace_event *ev)
{
	struct times *t = context;

	ck_assert_uint_lt(t->count, 2 * CALLS);
	t->begin[t->count++] = ev->begin_ns;
}

static struct times read_times(const char *first, const char *second)
{
	struct times t = { 0 };
	struct visitor v = { .event = take_time, .context = &t };
	char *given[] = { (char *)first, (char *)second };
	struct trace trace;

	trace_open(&trace, given, second ? 2 : 1);
	ck_assert_uint_eq(trace.count, 1);
	ck_assert_int_eq(process_load(&trace.processes[0]), 0);
	process_events(&trace.processes[0], &v);
	trace_close(&trace);
	return t;
}

static void expect_ascending(const struct times *t)
{
	ck_assert_uint_eq(t->count, 2 * CALLS);
	for (size_t i = 1; i < t->count; i++)
		ck_assert_uint_gt(t->begin[i], t->begin[i - 1]);
}

START_TEST(calls_of_two_windows_keep_their_order)
{
	struct times t;

	make_two_files();
	t = read_times(folder, NULL);
	expect_ascending(&t);
}
END_TEST

START_TEST(the_order_of_the_files_given_changes_no_time)
{
	struct times a, b;

	make_two_files();
	a = read_times(paths[0], paths[1]);
	b = read_times(paths[1], paths[0]);
	ck_assert_uint_eq(a.count, 2 * CALLS);
	ck_assert_mem_eq(&a, &b, sizeof(a));
}
END_TEST

START_TEST(a_file_alone_differs_by_microseconds_only)
{
	struct times all, t;

	make_two_files();
	all = read_times(folder, NULL);
	for (int i = 0; i < 2; i++) {
		t = read_times(paths[i], NULL);
		ck_assert_uint_eq(t.count, CALLS);
		ck_assert_uint_lt(t.begin[0], all.begin[i * CALLS] + NEAR_NS);
		ck_assert_uint_gt(t.begin[0], all.begin[i * CALLS] - NEAR_NS);
	}
}
END_TEST

/* A window behind two others, before which the wall clock was set back. */
static void begin_third_file(struct maker *m, uint64_t set_back)
{
	make_two_files();
	make_file(m, 1);
	read_clock(m, CHANGE + 10, 0);
	m->w.clock.realtime -= set_back;
	put_text(m);
}

START_TEST(a_wall_clock_set_back_between_two_windows_loses_and_reorders_nothing)
{
	struct maker m;
	struct times t;

	begin_third_file(&m, 3600000000000u);
	read_clock(&m, 2 * CHANGE, 0);
	put_calls(&m, CHANGE, CALLS);
	end_file(&m);
	t = read_times(folder, NULL);
	expect_ascending(&t);
	ck_assert_uint_gt(t.begin[0], MAKER_REALTIME);
}
END_TEST

START_TEST(a_file_of_one_clock_reading_has_its_times_from_the_others)
{
	struct maker m;
	struct times t;

	begin_third_file(&m, 0);
	put_calls(&m, CHANGE, CALLS);
	end_file(&m);
	t = read_times(folder, NULL);
	ck_assert_uint_eq(t.count, 2 * CALLS);
}
END_TEST

START_TEST(any_number_of_clock_readings_takes_little_memory)
{
	const uint64_t many = 1000000, apart = 300000000;
	struct timeline t = { 0 };

	for (uint64_t i = 0; i < many; i++)
		timeline_add(&t, 2 * i * apart, i * apart, 0);
	ck_assert_uint_le(t.capacity, TIMELINE_MAX);
	timeline_finish(&t, 100000000, TIMELINE_ONE);
	ck_assert_uint_gt(t.count, TIMELINE_MAX / 8);
	for (uint64_t i = 0; i < many; i += 1000)
		ck_assert_uint_eq(timeline_convert(&t, 2 * i * apart + 20), i * apart + 10);
	timeline_free(&t);
}
END_TEST

/* A counter is given out for steady that costs so much. */
static void start_with_cost(const char *costs)
{
	ck_assert_int_eq(setenv("RANKTRACE_CLOCK", costs, 1), 0);
	clock_start();
}

START_TEST(a_counter_that_takes_too_long_to_read_is_left_alone)
{
	start_with_cost("costs=201");
	ck_assert_uint_eq(clock_kind, CLOCK_NANOSECONDS);
	ck_assert_uint_eq(clock_refused_ns, 201);
	start_with_cost("costs=200");
	ck_assert_uint_eq(clock_kind, CLOCK_KIND_RAW);
	ck_assert_uint_eq(clock_refused_ns, 0);
}
END_TEST

/* ---- how long a call took ---- */

struct gate gate;
__thread struct producer producer;
uint32_t session_generation;

bool producer_prepare(void)
{
	return false;
}

bool producer_next_ring(void)
{
	return false;
}

void producer_set_position(struct producer *p, uint64_t next)
{
	(void)p, (void)next;
}

/* What is written of a call that ends now and began then. */
static const struct event *written_of_call(uint64_t begin)
{
	static struct {
		_Alignas(SESSION_PAGE) char header[SESSION_PAGE];
		struct event slots[32];
	} memory;
	struct ring_header *ring = (struct ring_header *)memory.header;
	struct call c = { .word = GATE_STARTED, .inside = INSIDE, .event = { .begin = begin, .hook = HOOK_LAUNCH } };

	memset(&memory, 0, sizeof(memory));
	ring->slots = 32;
	producer = (struct producer){ .ring = ring, .inside = INSIDE };
	atomic_store(&gate.word, c.word);
	record_stop(&c);
	ring_write_event(&c);
	ck_assert(c.recording);
	ck_assert_uint_eq(atomic_load(&ring->head), memory.slots[1].hook ? 2 : 1);
	return memory.slots;
}

/* Readings out of order look like this; by either clock. */
START_TEST(a_call_that_ends_before_it_begins_took_no_time)
{
	for (int slow = 0; slow < 2; slow++) {
		const struct event *slots;

		start_with_cost(slow ? "costs=201" : "costs=0");
		slots = written_of_call(clock_ticks() + (1ull << 50));
		ck_assert_uint_eq(slots[0].duration, 0);
		ck_assert_uint_eq(slots[1].hook, 0);
	}
}
END_TEST

START_TEST(a_call_that_is_too_long_for_a_slot_says_so)
{
	const struct event *slots;

	start_with_cost("costs=201");
	slots = written_of_call(clock_ticks() - (1ull << 33));
	ck_assert_uint_eq(slots[0].duration, UINT32_MAX);
	ck_assert_uint_eq(slots[1].hook, CTRL_LONG);
	ck_assert_uint_ge(slots[1].key, 1ull << 33);
}
END_TEST

/* What the report says of the clocks of two ranks. */
static const char *said(const char *facts, const char *other)
{
	static struct report r[2];
	static struct out o;
	const char *of[] = { facts, other };

	o = (struct out){ .fd = -1 };
	for (int i = 0; i < 2; i++) {
		r[i] = (struct report){ .rank = i, .has_rank = true };
		key_values_parse(&r[i].facts, (const uint8_t *)of[i], strlen(of[i]));
	}
	clock_section.text(&o, r, 2, 10);
	for (int i = 0; i < 2; i++)
		key_values_free(&r[i].facts);
	o.buffer[o.used] = '\0';
	return o.buffer;
}

START_TEST(the_report_tells_of_long_ticks_and_of_a_counter_that_was_left_alone)
{
	ck_assert_str_eq(said("clock=tsc\ntick_hz=2600000123\n", "clock=cntvct\ntick_hz=200000000\n"), "");
	ck_assert_str_eq(said("clock=cntvct\ntick_hz=99999871\n", "clock=cntvct\ntick_hz=100000013\n"),
			 "\nClock\nranks 0, 1: a tick is 10 ns: a call that took less has taken 0 or 1 of them\n");
	ck_assert_str_eq(said("clock=ns\ntick_hz=1000000000\ncounter_ns=1234\n", "clock=ns\ntick_hz=1000000000\n"),
			 "\nClock\nrank 0: CLOCK_MONOTONIC, as each reading of the processor's counter takes 1234 ns here\n");
}
END_TEST

/* A program may have traps for them. */
START_TEST(asking_for_the_clock_s_rate_leaves_the_flags_of_floating_point_alone)
{
	clock_start();
	feclearexcept(FE_ALL_EXCEPT);
	for (int i = 0; i < 100; i++)
		ck_assert_uint_gt(clock_hz(), 0);
	ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
}
END_TEST

static void make_folder(void)
{
	snprintf(folder, sizeof(folder), "/tmp/check_clock.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	for (int i = 0; i < 2; i++)
		snprintf(paths[i], sizeof(paths[i]), "%s/%d.rtrace", folder, i);
}

static void remove_folder(void)
{
	unlink(paths[0]);
	unlink(paths[1]);
	rmdir(folder);
}

int main(void)
{
	TCase *t = tcase_create("clock");

	tcase_set_timeout(t, 60);
	tcase_add_unchecked_fixture(t, make_folder, remove_folder);
	tcase_add_test(t, calls_of_two_windows_keep_their_order);
	tcase_add_test(t, the_order_of_the_files_given_changes_no_time);
	tcase_add_test(t, a_file_alone_differs_by_microseconds_only);
	tcase_add_test(t, a_wall_clock_set_back_between_two_windows_loses_and_reorders_nothing);
	tcase_add_test(t, a_file_of_one_clock_reading_has_its_times_from_the_others);
	tcase_add_test(t, any_number_of_clock_readings_takes_little_memory);
	tcase_add_test(t, a_counter_that_takes_too_long_to_read_is_left_alone);
	tcase_add_test(t, asking_for_the_clock_s_rate_leaves_the_flags_of_floating_point_alone);
	tcase_add_test(t, a_call_that_ends_before_it_begins_took_no_time);
	tcase_add_test(t, a_call_that_is_too_long_for_a_slot_says_so);
	tcase_add_test(t, the_report_tells_of_long_ticks_and_of_a_counter_that_was_left_alone);
	return unit_run("clock", t);
}
