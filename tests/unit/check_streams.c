/* check_streams.c - streams, default streams and captures of several vendors in one process. */
#include <string.h>
#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "tests/lib/unit.h"

/* What the agent does with a definition is not looked at. */
#define definitions_text(kind, id, text)		    ((void)(id), (void)(text))
#define definitions_add(kind, id, head, size, text, length) ((void)(head))
#include "agent/os/pages.c"
#include "agent/record/handles.c"
#include "hooks/capture/devices.c"
#include "hooks/capture/streams/captures.c"
#include "hooks/capture/streams/contexts.c"
#include "hooks/capture/streams/streams.c"
#include "hooks/capture/streams/thread_streams.c"

static struct session_status status;
struct session_status *session = &status;
struct gate gate;
__thread struct producer producer;
_Atomic uint64_t launch_cache_stamp;

static uint64_t contexts[2], *context = contexts; /* where the thread is */

static void *current_context(void)
{
	return context;
}

static int32_t current_device(void)
{
	return 0;
}

static const char *name_of(int32_t number, char *room, size_t size)
{
	(void)number, (void)room, (void)size;
	return "device";
}

static struct ring_header rings[2];

static void be_thread(uint32_t number)
{
	producer.ring = &rings[number - 1];
	atomic_store(&producer.ring->tid, number);
}

static const struct contexts_calls null_calls = { .context = current_context, .device = current_device, .device_name = name_of };
static const struct contexts_calls values_calls = { .last_special = 2,
						    .context = current_context,
						    .device = current_device,
						    .device_name = name_of,
						    .devices = 1ull << 33 };

static struct streams of_null, of_values; /* whose default stream is NULL; who has other values besides */

static void begin(void)
{
	of_null = (struct streams){ .calls = &null_calls };
	of_values = (struct streams){ .calls = &values_calls };
	atomic_store(&gate.word, GATE_TRACK);
	context = contexts;
	be_thread(1);
}

static uint16_t null_stream(uintptr_t value)
{
	return streams_number(&of_null, (void *)value, 0, true);
}

static uint16_t value_stream(uintptr_t value)
{
	return streams_number(&of_values, (void *)value, 2, true);
}

START_TEST(one_handle_of_two_vendors_is_two_streams_on_two_devices)
{
	ck_assert_uint_ne(null_stream(4096), value_stream(4096));
	ck_assert_uint_eq(null_stream(4096), null_stream(4096));
	ck_assert_uint_ne(stream_device(null_stream(4096)), stream_device(value_stream(4096)));
	streams_end(&of_null, (void *)4096);
	ck_assert_uint_eq(streams_number(&of_null, (void *)4096, 0, false), 0);
	ck_assert_uint_ne(streams_number(&of_values, (void *)4096, 2, false), 0);
}
END_TEST

START_TEST(a_context_has_a_default_stream_of_its_own_for_the_vendor_that_went_there)
{
	uint16_t null = null_stream(0), value = value_stream(0);

	contexts_go_to(&of_null, PLACE_CONTEXT(&contexts[0]));
	contexts_go_to(&of_null, PLACE_CONTEXT(&contexts[1]));
	context = &contexts[1];
	ck_assert_uint_ne(null_stream(0), null);
	ck_assert_uint_eq(value_stream(0), value);
	context = &contexts[0];
	ck_assert_uint_eq(null_stream(0), null);
}
END_TEST

START_TEST(values_0_and_1_are_one_stream_and_2_is_of_the_thread_and_its_context)
{
	uint16_t first = value_stream(2);

	ck_assert_uint_eq(value_stream(0), value_stream(1));
	ck_assert_uint_ne(first, value_stream(0));
	ck_assert_uint_eq(value_stream(2), first);
	be_thread(2);
	ck_assert_uint_ne(value_stream(2), first);
	be_thread(1);
	contexts_go_to(&of_values, PLACE_CONTEXT(&contexts[0]));
	contexts_go_to(&of_values, PLACE_CONTEXT(&contexts[1]));
	context = &contexts[1];
	ck_assert_uint_ne(value_stream(2), first);
	ck_assert_uint_eq(value_stream(0), value_stream(1));
	context = contexts;
	ck_assert_uint_eq(value_stream(2), first);
	streams_end(&of_values, (void *)contexts_key(&of_values, (void *)2));
	ck_assert_uint_eq(streams_number(&of_values, (void *)2, 2, false), 0);
	ck_assert_uint_ne(null_stream(2), 0);
	ck_assert_uint_ne(null_stream(2), null_stream(0));
}
END_TEST

/* As long as nobody has asked for a default stream nobody knows whose the first was. */
START_TEST(a_thread_s_stream_stays_what_it_was_when_the_program_goes_to_another_context)
{
	uint16_t first = value_stream(2), second;

	contexts_go_to(&of_values, PLACE_CONTEXT(&contexts[0]));
	contexts_go_to(&of_values, PLACE_CONTEXT(&contexts[1]));
	context = &contexts[1];
	second = value_stream(2);
	ck_assert_uint_ne(second, first);
	context = contexts;
	ck_assert_uint_eq(value_stream(2), first);
	thread_streams_end(&of_values);
	ck_assert_uint_ne(value_stream(2), first);
	context = &contexts[1];
	ck_assert_uint_ne(value_stream(2), second);
}
END_TEST

START_TEST(a_capture_is_of_one_vendor_s_stream_and_of_one_thread_s_where_the_value_is)
{
	captures_begin(&of_values, (void *)2);
	ck_assert(captures_any(&of_values));
	ck_assert(!captures_any(&of_null));
	ck_assert(captures_has(&of_values, (void *)2));
	be_thread(2);
	ck_assert(!captures_has(&of_values, (void *)2));
	be_thread(1);
	captures_end(&of_values, (void *)2);
	ck_assert(!captures_any(&of_values));
	ck_assert_uint_eq(captures_changes(&of_values), 2);
	ck_assert_uint_eq(captures_changes(&of_null), 0);
}
END_TEST

START_TEST(a_context_that_is_made_or_left_behind_says_that_there_are_several)
{
	uint16_t null = null_stream(0), value;
	uint64_t stamp = atomic_load(&launch_cache_stamp);

	contexts_went(&of_null, NULL, NULL);
	contexts_went(&of_null, &contexts[0], &contexts[0]);
	ck_assert(!atomic_load(&of_null.several));
	contexts_went(&of_null, &contexts[0], &contexts[1]);
	context = &contexts[1];
	ck_assert_uint_ne(null_stream(0), null);
	ck_assert_uint_ne(atomic_load(&launch_cache_stamp), stamp);
	contexts_went(&of_values, NULL, &contexts[1]); /* the first of all, of whose streams nobody has asked */
	contexts_left(&of_values, &contexts[1]);
	ck_assert(!atomic_load(&of_values.several));
	value = value_stream(0);
	contexts_go_to(&of_values, PLACE_CONTEXT(&contexts[1]));
	ck_assert(!atomic_load(&of_values.several));
	contexts_go_to(&of_values, PLACE_CONTEXT(&contexts[0]));
	context = &contexts[0];
	ck_assert_uint_ne(value_stream(0), value);
	context = &contexts[1];
	ck_assert_uint_eq(value_stream(0), value);
}
END_TEST

START_TEST(a_stream_whose_end_failed_and_one_that_nobody_may_end_are_what_they_were)
{
	uint16_t made = value_stream(4096), first = value_stream(0);
	uint64_t stamp = atomic_load(&launch_cache_stamp);

	streams_end(&of_values, (void *)4096);
	ck_assert_uint_ne(atomic_load(&launch_cache_stamp), stamp);
	streams_remain(&of_values, (void *)4096, made);
	ck_assert_uint_eq(value_stream(4096), made);
	streams_end(&of_values, (void *)1);
	ck_assert_uint_eq(value_stream(0), first);
}
END_TEST

START_TEST(the_end_of_a_context_changes_no_other_one_s_default_stream)
{
	uint16_t first = null_stream(0), second;

	contexts_go_to(&of_null, PLACE_CONTEXT(&contexts[0]));
	contexts_go_to(&of_null, PLACE_CONTEXT(&contexts[1]));
	context = &contexts[1];
	second = null_stream(0);
	contexts_end(&of_null, &contexts[1]);
	ck_assert_uint_ne(null_stream(0), second);
	second = null_stream(0);
	context = &contexts[0];
	ck_assert_uint_eq(null_stream(0), first);
	contexts_end(&of_null, contexts_of_device(&of_null, 0)); /* where this thread is */
	context = &contexts[1];
	ck_assert_uint_eq(null_stream(0), second);
	context = &contexts[0];
	ck_assert_uint_ne(null_stream(0), first);
	ck_assert_uint_ne(null_stream(0), second);
}
END_TEST

START_TEST(captures_end_with_their_context_and_those_of_another_one_go_on)
{
	contexts_go_to(&of_values, PLACE_CONTEXT(&contexts[0]));
	contexts_go_to(&of_values, PLACE_CONTEXT(&contexts[1]));
	captures_begin(&of_values, (void *)4096);
	captures_begin(&of_values, (void *)8192);
	context = &contexts[1];
	captures_begin(&of_values, (void *)12288);
	captures_context_ends(&of_values, &contexts[0]);
	ck_assert(!captures_has(&of_values, (void *)4096));
	ck_assert(!captures_has(&of_values, (void *)8192));
	ck_assert(captures_has(&of_values, (void *)12288));
	captures_context_ends(&of_values, &contexts[1]);
	ck_assert(!captures_any(&of_values));
}
END_TEST

START_TEST(the_stream_of_a_thread_goes_with_it)
{
	uint16_t first = value_stream(2);
	uint64_t key = thread_streams_here(&of_values);

	ck_assert_ptr_nonnull(handles_get(&of_values.table, key));
	thread_streams_end(&of_values);
	ck_assert_ptr_null(handles_get(&of_values.table, key));
	ck_assert_uint_ne(value_stream(2), first);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("streams");

	tcase_add_checked_fixture(c, begin, NULL);
	tcase_add_test(c, one_handle_of_two_vendors_is_two_streams_on_two_devices);
	tcase_add_test(c, a_context_has_a_default_stream_of_its_own_for_the_vendor_that_went_there);
	tcase_add_test(c, values_0_and_1_are_one_stream_and_2_is_of_the_thread_and_its_context);
	tcase_add_test(c, a_thread_s_stream_stays_what_it_was_when_the_program_goes_to_another_context);
	tcase_add_test(c, a_capture_is_of_one_vendor_s_stream_and_of_one_thread_s_where_the_value_is);
	tcase_add_test(c, a_context_that_is_made_or_left_behind_says_that_there_are_several);
	tcase_add_test(c, a_stream_whose_end_failed_and_one_that_nobody_may_end_are_what_they_were);
	tcase_add_test(c, the_end_of_a_context_changes_no_other_one_s_default_stream);
	tcase_add_test(c, captures_end_with_their_context_and_those_of_another_one_go_on);
	tcase_add_test(c, the_stream_of_a_thread_goes_with_it);
	return unit_run("streams", c);
}
