/* check_pairs.c - device times by pairs of events: of two vendors in one process, of which one has no time stamps. */
#include <fenv.h>
#include <math.h>
#include <string.h>
#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "tests/lib/unit.h"

/* What the agent does with a definition is not looked at, but for its numbers. */
static uint64_t defined[8];
#define definitions_text(kind, id, text)		    ((void)(id), (void)(text))
#define definitions_add(kind, id, head, size, text, length) ((void)memcpy(defined, head, (size) < sizeof(defined) ? (size) : sizeof(defined)))
/* These vendors have no tool of their own that would be asked. */
#include "hooks/capture/records/record_calls.h"
#define record_tool_ready(tool)			     ((void)(tool), false)
#define record_tool_begin(tool, work)		     ((void)(work), 0)
#define record_tool_end(tool, number)		     ((void)0)
#define record_tool_keep(tool, number, call, stream) ((void)0)
#define record_calls_drop(tool, number)		     ((void)0)
#define record_tool_share(tool, number, node)	     false
#define record_calls_answer(tool, number)	     ((void)(tool), 0)
#define record_calls_unkeep(tool, number)	     true
#define record_tool_pass(tool)			     ((void)0)
#define record_tool_passed(tool)		     ((void)0)
#define record_tool_harvest(tool)		     ((void)0)
#include "agent/os/pages.c"
#include "agent/record/handles.c"
#define fresh fresh_node
#include "hooks/capture/device_times.c"
#undef fresh
#include "hooks/capture/devices.c"
#include "hooks/capture/streams/captures.c"
#include "hooks/capture/streams/contexts.c"
#include "hooks/capture/streams/streams.c"
#include "hooks/capture/streams/thread_streams.c"
/* A name that more than one of them has. */
#define done done_event
#include "hooks/capture/pairs/harvest.c"
#include "hooks/capture/pairs/pairs.c"
#include "hooks/capture/pairs/pools.c"
#include "hooks/capture/pairs/timed.c"
#include "hooks/capture/pairs/timed_streams.c"

static struct session_status status;
struct session_status *session = &status;
struct config settings;
struct gate gate;
struct doorbell doorbell;
__thread struct producer producer;
uint32_t session_generation = 1;
_Atomic uint64_t launch_cache_stamp;

void doorbell_ring(void)
{
}

unsigned int clock_kind;

uint64_t clock_hz(void)
{
	return 1000000000u;
}

uint64_t clock_now_ns(void)
{
	return 5000000000u;
}

/* ---- times that were written ---- */

static struct event written[8];
static unsigned int writes;

bool ring_write_control(const struct event *slot, const struct event *follow)
{
	ck_assert_ptr_null(follow);
	written[writes++] = *slot;
	return true;
}

/* ---- a runtime whose clock stands until it is told ---- */

static uint64_t now_ns;
static bool captured;
static int inside_calls;	   /* of enter() without leave() */
static bool may_ask;		   /* by the last enter() */
static unsigned int entered, made; /* how often; events that are there */
static bool own_has_to_be_inside;

static void called(void)
{
	ck_assert(producer.inside & INSIDE_AGENT);
	ck_assert(!own_has_to_be_inside || inside_calls > 0);
}

static void *some_function(void)
{
	static char function;

	return &function;
}

static bool its_find(void **real)
{
	for (int i = EVENT_CREATE; i <= EVENT_ELAPSED; i++)
		real[i] = some_function();
	real[EVENT_CAPTURE] = some_function();
	return true;
}

static bool its_find_with_stamps(void **real)
{
	real[EVENT_TIMESTAMP] = some_function();
	return its_find(real);
}

static int its_create(void *const *real, void **event)
{
	(void)real;
	called();
	*event = calloc(1, sizeof(uint64_t));
	made++;
	return 0;
}

static int its_destroy(void *const *real, void *event)
{
	(void)real;
	called();
	free(event);
	made--;
	return 0;
}

static int its_record(void *const *real, void *event, void *stream)
{
	(void)real;
	(void)stream;
	called();
	*(uint64_t *)event = now_ns;
	return 0;
}

static int its_query(void *const *real, void *event)
{
	(void)real;
	(void)event;
	called();
	ck_assert(!own_has_to_be_inside || may_ask);
	return 1;
}

static int its_elapsed(void *const *real, float *ms, void *from, void *to)
{
	(void)real;
	called();
	*ms = (float)(((double)*(uint64_t *)to - (double)*(uint64_t *)from) / 1e6);
	return 0;
}

static int its_timestamp(void *const *real, void *event, uint64_t *ns)
{
	(void)real;
	called();
	*ns = *(uint64_t *)event;
	return 0;
}

static int its_capture(void *const *real, void *stream)
{
	(void)real;
	(void)stream;
	called();
	return captured;
}

static int its_enter(bool asks)
{
	may_ask = asks;
	entered++;
	return inside_calls++;
}

static void its_leave(int kept)
{
	ck_assert_int_eq(--inside_calls, kept);
}

static void *its_context(void)
{
	static char here;

	return &here;
}

static int32_t its_device(void)
{
	return 0;
}

static const char *its_device_name(int32_t number, char *room, size_t size)
{
	(void)number, (void)room, (void)size;
	return "device";
}

static const struct contexts_calls first_place = { .context = its_context, .device = its_device, .device_name = its_device_name };
static const struct contexts_calls second_place = { .last_special = 2, .context = its_context, .device = its_device, .device_name = its_device_name, .devices = 1ull << 33 };
#define OF_BOTH .create = its_create, .destroy = its_destroy, .record = its_record, .query = its_query, .elapsed = its_elapsed, .capture = its_capture
static const struct event_calls stamped = { .find = its_find_with_stamps, OF_BOTH, .timestamp = its_timestamp };
static const struct event_calls bare = { .find = its_find, OF_BOTH, .enter = its_enter, .leave = its_leave };

static struct streams stamped_streams = { .calls = &first_place }, bare_streams = { .calls = &second_place };
static struct vendor_times with_stamps = { .streams = &stamped_streams, .calls = &stamped };
static struct vendor_times without = { .streams = &bare_streams, .calls = &bare };

/* ---- a call that gives work for so long ---- */

static void work(struct vendor_times *of, uintptr_t stream, uint64_t ns)
{
	static struct ring_header ring;
	struct call c = { .recording = true, .word = GATE_TIMES };
	struct timed own;

	producer.ring = &ring;
	c.event.stream = streams_number(of->streams, (void *)stream, of->streams->calls->last_special, true);
	timed_want(of, &c, (void *)stream, &own, TIME_KERNELS);
	now_ns += ns;
	timed_called(of, &c, &own);
	timed_recorded(of, &c, &own, true);
}

static void begin_case(void)
{
	settings.contents = CONTENT_DEVICE;
	atomic_store(&gate.word, GATE_TRACK | GATE_WINDOW | GATE_TIMES);
	now_ns = 7000000;
}

START_TEST(each_vendor_has_its_own_times_and_waits_for_its_own_call)
{
	work(&with_stamps, 4096, 3000);
	work(&without, 4096, 5000);
	ck_assert_int_eq(atomic_load(&doorbell.pending), 2);
	harvest_times(&without, NO_STREAM);
	ck_assert_uint_eq(writes, 1);
	ck_assert_uint_eq(written[0].duration, 5000);
	ck_assert_uint_eq(written[0].begin, 5000000000u); /* a clock of ours */
	harvest_times(&with_stamps, NO_STREAM);
	ck_assert_uint_eq(writes, 2);
	ck_assert_uint_eq(written[1].duration, 3000);
	ck_assert_uint_eq(written[1].begin, 7000000);
	ck_assert_uint_ne(written[0].stream, written[1].stream);
	ck_assert_uint_eq(made, 4);
}
END_TEST

START_TEST(without_time_stamps_times_count_from_a_pair_of_ours)
{
	work(&without, 4096, 5000);
	now_ns += 1000000;
	work(&without, 8192, 2000);
	harvest_times(&without, NO_STREAM);
	ck_assert_uint_eq(writes, 2);
	ck_assert_uint_eq(written[1].begin - written[0].begin, 1005000);
	ck_assert_uint_eq(written[1].duration, 2000);
}
END_TEST

START_TEST(all_calls_of_ours_stand_between_enter_and_leave)
{
	own_has_to_be_inside = true;
	work(&without, 4096, 5000);
	harvest_times(&without, (void *)4096);
	harvest_context_ends(&without, its_context());
	ck_assert_uint_gt(entered, 0);
	ck_assert_int_eq(inside_calls, 0);
	ck_assert_uint_eq(made, 0);
}
END_TEST

START_TEST(while_a_capture_runs_anywhere_nothing_is_read_and_each_stream_is_asked)
{
	work(&without, 4096, 5000);
	captures_begin(&bare_streams, (void *)8192);
	harvest_times(&without, NO_STREAM);
	ck_assert_uint_eq(writes, 0);
	work(&with_stamps, 4096, 3000); /* the other vendor captures nothing */
	harvest_times(&with_stamps, NO_STREAM);
	ck_assert_uint_eq(writes, 1);
	captured = true; /* by a wait for what is captured */
	work(&without, 4096, 5000);
	ck_assert_int_eq(atomic_load(&doorbell.pending), 1);
	captured = false;
	captures_end(&bare_streams, (void *)8192);
	harvest_times(&without, NO_STREAM);
	ck_assert_uint_eq(writes, 2);
	ck_assert_uint_eq(status.untimed, 0);
}
END_TEST

/* Each reading is the narrowest so far, and kept. */
START_TEST(a_clock_read_between_two_readings_out_of_order_lies_at_the_first)
{
	device_times_clock(UINT16_MAX, 70, 4000, 5000);
	ck_assert_uint_eq(defined[1], 4500);
	device_times_clock(UINT16_MAX, 71, 6000, 5997);
	ck_assert_uint_eq(defined[0], 71);
	ck_assert_uint_eq(defined[1], 6000);
	ck_assert_uint_eq(defined[2], 1);
}
END_TEST

/* As doubles have it, to the nanosecond; but the flags of floating point are the program's, which may have traps for them. */
START_TEST(a_time_in_milliseconds_is_in_nanoseconds_what_doubles_say)
{
	unsigned int times = 0, wrong = 0, flags = 0;

	for (uint32_t bits = 0; bits < 0x80000000u - 10007; bits += 10007) {
		uint64_t ns = 0, wanted = 0;
		bool is_time;
		float ms;

		memcpy(&ms, &bits, sizeof(ms));
		if (ms < 4e12f)
			wanted = (uint64_t)((double)ms * 1e6 + 0.5);
		feclearexcept(FE_ALL_EXCEPT);
		is_time = ns_of_ms(ms, &ns);
		flags |= (unsigned int)fetestexcept(FE_ALL_EXCEPT);
		if (!(ms < 4e12f))
			continue;
		times++;
		wrong += !is_time || ns != wanted;
	}
	ck_assert_uint_gt(times, 100000);
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(flags, 0);
}
END_TEST

START_TEST(what_is_no_time_is_none)
{
	static const float none[] = { -1, -1e-30f, INFINITY, -INFINITY, NAN, 1e30f };
	uint64_t ns = 7;

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		ck_assert(!ns_of_ms(none[i], &ns));
	ck_assert(ns_of_ms(-0.0f, &ns) && ns == 0);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("pairs");

	tcase_add_checked_fixture(c, begin_case, NULL);
	tcase_add_test(c, a_time_in_milliseconds_is_in_nanoseconds_what_doubles_say);
	tcase_add_test(c, what_is_no_time_is_none);
	tcase_add_test(c, each_vendor_has_its_own_times_and_waits_for_its_own_call);
	tcase_add_test(c, without_time_stamps_times_count_from_a_pair_of_ours);
	tcase_add_test(c, all_calls_of_ours_stand_between_enter_and_leave);
	tcase_add_test(c, while_a_capture_runs_anywhere_nothing_is_read_and_each_stream_is_asked);
	tcase_add_test(c, a_clock_read_between_two_readings_out_of_order_lies_at_the_first);
	return unit_run("pairs", c);
}
