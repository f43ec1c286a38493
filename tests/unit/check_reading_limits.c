/* check_reading_limits.c - what readers of traces keep in mind is bounded: each bound is overfilled, and that is told. */
#include <string.h>

#include "analysis/trace/collective_launches.h"
#include "analysis/trace/device_join.h"
#include "analysis/trace/failures.h"
#include "analysis/trace/operators.h"
#include "analysis/trace/position_map.h"
#include "analysis/trace/shapes.h"
#include "tests/lib/told_traces.h"

/* ---- texts ---- */

static char facts[KEY_VALUES_MAX * 16];

START_TEST(facts_that_find_no_room_are_counted_and_told)
{
	size_t n = 0;

	for (unsigned int i = 0; i < KEY_VALUES_MAX; i++)
		n += (size_t)sprintf(facts + n, "k%u=1\n", i);
	begin_trace(facts);
	TELLS(report_of(end_trace(), false), "4 lines of its files' texts found no room");
}
END_TEST

START_TEST(texts_that_find_no_room_are_counted)
{
	static char value[KEY_VALUES_BYTES / 4];
	struct key_values all = { 0 };
	char key[2] = "a";

	memset(value, 'v', sizeof(value) - 1);
	for (; *key < 'g'; ++*key)
		key_values_set(&all, key, value);
	ck_assert_uint_eq(all.count, 4);
	ck_assert_uint_eq(all.left_out, 2);
	key_values_set(&all, "a", "");
	key_values_set(&all, "z", value + 1);
	ck_assert_uint_eq(all.count, 5);
	key_values_free(&all);
}
END_TEST

START_TEST(each_of_ten_thousand_facts_and_libraries_is_found)
{
	struct key_values all = { 0 };
	char key[32];

	for (unsigned int i = 0; i < 10000; i++) {
		snprintf(key, sizeof(key), "k%u", i);
		key_values_set(&all, key, key + 1);
		key_values_add(&all, "library", key);
		key_values_add(&all, "library", key);
	}
	ck_assert_uint_eq(all.count, 20000);
	ck_assert_uint_eq(key_values_number(&all, "k9876", 0), 9876);
	ck_assert_str_eq(key_values_get(&all, "library"), "k0");
	ck_assert_ptr_null(key_values_get(&all, "k10000"));
	key_values_free(&all);
}
END_TEST

START_TEST(of_150_threads_that_died_inside_a_call_a_hundred_are_named_and_the_others_counted)
{
	struct chunk_header h = { .type = CHUNK_END, .flags = CHUNK_RECOVERED };
	char text[150 * 32], *report;
	size_t n = 0;

	for (unsigned int i = 0; i < 150; i++)
		n += (size_t)sprintf(text + n, "in_call.%u=clFinish\n", 1000 + i);
	begin_trace("");
	ck_assert_int_eq(chunk_writer_put(&maker.w, &h, text, n), 0);
	report = report_of(end_trace(), false);
	TELLS(report, "thread 1099 died inside clFinish\n  and 50 threads more\n");
	ck_assert_ptr_null(strstr(report, "thread 1100 "));
}
END_TEST

/* ---- operators, collectives ---- */

START_TEST(a_call_inside_nine_operators_belongs_to_the_innermost)
{
	static const char *const names[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9" };
	struct operators operators = OPERATORS;
	struct trace_event ev = { .kind = EV_OPERATOR };

	for (unsigned int i = 0; i < 9; i++) {
		ev.begin_ns = i;
		ev.duration_ns = 100 - 2 * i;
		ev.name = names[i];
		operators_around(&operators, &ev);
	}
	ev = (struct trace_event){ .kind = EV_LAUNCH, .begin_ns = 20, .duration_ns = 1 };
	ck_assert_str_eq(operators_around(&operators, &ev), "9");
	operators_free(&operators);
}
END_TEST

static void count_settled(void *context, const struct trace_device *dev)
{
	*(uint64_t *)context += dev->duration_ns;
}

/* So many launches with device times of 1 ns inside one collective: how many settle as compute. */
static uint64_t settled(uint64_t launches, uint64_t *crowded)
{
	struct collective_launches c;
	struct trace_event ev = { .kind = EV_LAUNCH };
	uint64_t sum = 0;

	collective_launches_init(&c, true, count_settled, &sum);
	for (uint64_t i = 0; i < launches; i++) {
		struct trace_device dev = { .kind = EV_LAUNCH, .slot = (uint32_t)i, .duration_ns = 1 };

		ev.slot = i;
		ev.begin_ns = 10 + i;
		collective_launches_take(&c, &ev);
		ck_assert(collective_launches_keeps(&c, &dev));
	}
	ev = (struct trace_event){ .kind = EV_COLLECTIVE, .begin_ns = 10, .slot = launches };
	collective_launches_take(&c, &ev);
	*crowded = c.crowded;
	collective_launches_finish(&c);
	return sum;
}

START_TEST(a_collective_of_a_thousand_launches_is_communication_alone)
{
	uint64_t crowded;

	ck_assert_uint_eq(settled(1000, &crowded), 0);
	ck_assert_uint_eq(crowded, 0);
}
END_TEST

START_TEST(of_a_collective_with_more_launches_than_are_kept_the_first_count_as_compute_which_is_told)
{
	struct def_collective collective = { .peer = -1 };
	uint64_t crowded;

	ck_assert_uint_eq(settled(COLLECTIVE_LAUNCHES_MAX + 5, &crowded), 5);
	ck_assert_uint_eq(crowded, 1);

	begin_trace("");
	maker_usual_defs(&maker);
	maker_hook(&maker, 9, EV_COLLECTIVE, "HcclAllReduce");
	maker_define(&maker, DEF_COLLECTIVE, 1, &collective, sizeof(collective), "");
	ck_assert_int_eq(maker_put_defs(&maker), 0);
	for (uint64_t i = 0; i < COLLECTIVE_LAUNCHES_MAX + 5; i++)
		put_event(HOOK_LAUNCH, 100 + i, 7, 0);
	put_event(9, 50, 1, 0);
	TELLS(report_of(end_trace(), false), "1 collective made more than 4096 launches");
}
END_TEST

/* ---- device times ---- */

static uint64_t timed;

static void count_timed(void *context, const struct trace_event *ev, const struct device_time *device)
{
	(void)context;
	(void)ev;
	timed += device != NULL;
}

/* So many events stand between a launch and its device time: how many times are left out. */
static uint64_t left_out(uint64_t between)
{
	struct visitor v = { .event = NULL };
	struct process *p;
	uint64_t late;

	begin_trace("");
	maker_usual_defs(&maker);
	ck_assert_int_eq(maker_put_defs(&maker), 0);
	put_event(HOOK_LAUNCH, 100, 7, 0);
	for (uint64_t i = 0; i < between; i++)
		put_event(HOOK_COPY, 200 + i, 0, 0);
	put_device_time(HOOK_LAUNCH, 0, 7);
	p = end_trace();
	ck_assert_int_eq(process_load(p), 0);
	timed = 0;
	late = device_join(p, &v, count_timed);
	trace_close(&trace);
	return late;
}

START_TEST(a_device_time_a_million_events_behind_its_call_is_joined_and_one_further_behind_is_counted)
{
	ck_assert_uint_eq(left_out(DEVICE_JOIN_MAX - 4096), 0);
	ck_assert_uint_eq(timed, 1);
	ck_assert_uint_eq(left_out(DEVICE_JOIN_MAX + 4096), 1);
	ck_assert_uint_eq(timed, 0);
}
END_TEST

START_TEST(device_times_whose_steps_are_forgotten_are_counted_and_told)
{
	uint64_t launch;

	begin_trace("contents=cpu,npu\n");
	maker_usual_defs(&maker);
	maker_epoch(&maker, 1, 1, 1, 0);
	maker_epoch(&maker, 2, 2, 1, 0);
	ck_assert_int_eq(maker_put_defs(&maker), 0);
	launch = next_slot();
	put_event(HOOK_LAUNCH, 100, 7, 0);
	for (uint64_t i = 0; i < POSITION_MAP_MAX + 10; i++) {
		put_slot((struct event){ .hook = CTRL_STEP, .key = 2 - i % 2 });
		put_event(HOOK_COPY, 200 + i, 0, 0);
	}
	put_device_time(HOOK_LAUNCH, launch, 7);
	TELLS(report_of(end_trace(), false), "1 device time stands too far from its call to be counted in steps and copies\n");
}
END_TEST

/* Directions of copies are kept in mind where they change. */
START_TEST(device_times_of_copies_whose_direction_is_forgotten_are_counted_and_told)
{
	uint64_t copy;

	begin_trace("contents=cpu,npu\n");
	maker_usual_defs(&maker);
	ck_assert_int_eq(maker_put_defs(&maker), 0);
	copy = next_slot();
	for (uint64_t i = 0; i < POSITION_MAP_MAX + 10; i++)
		put_event(HOOK_COPY, 200 + i, 0, EVENT_ARG(8, 1 + i % 2));
	put_device_time(HOOK_COPY, copy, 0);
	TELLS(report_of(end_trace(), false), "1 device time stands too far from its call to be counted in steps and copies\n");
}
END_TEST

START_TEST(device_times_that_wait_for_their_calls_in_vain_are_counted_and_told)
{
	begin_trace("contents=cpu,npu\n");
	maker_usual_defs(&maker);
	ck_assert_int_eq(maker_put_defs(&maker), 0);
	for (uint64_t i = 0; i <= 262144; i++)
		put_device_time(HOOK_LAUNCH, 1000000 + i, 7);
	TELLS(report_of(end_trace(), false), "262144 device times stand too far from their calls to be counted in steps and copies\n");
}
END_TEST

/* ---- rows ---- */

START_TEST(ways_to_fail_that_have_no_row_are_counted_and_told)
{
	begin_trace("");
	maker_usual_defs(&maker);
	ck_assert_int_eq(maker_put_defs(&maker), 0);
	for (uint64_t i = 1; i <= FAILURES_MAX + 904; i++) {
		put_event(HOOK_COPY, 100 + i, 0, 0);
		put_slot((struct event){ .hook = CTRL_RESULT, .key = i });
	}
	TELLS(report_of(end_trace(), false), "904 more calls failed in other ways than these 4096\n");
}
END_TEST

START_TEST(ends_of_ranges_that_are_forgotten_are_counted_and_told)
{
	begin_trace("");
	maker_hook(&maker, 9, EV_MARKER, "mstxRangeEnd");
	ck_assert_int_eq(maker_put_defs(&maker), 0);
	for (uint64_t i = 1; i <= 262144 + 1; i++)
		put_event(9, 100 + i, 0, i);
	TELLS(report_of(end_trace(), false), "262144 ends of ranges came too long before their starts");
}
END_TEST

START_TEST(operators_that_json_does_not_list_are_counted)
{
	struct def_tensor tensor = { .type = DATA_FP32, .dimensions = 1, .dimension = { 4 } };
	struct def_shapes head = { .tensors = 1 };
	uint8_t body[64];

	memcpy(body, &head, sizeof(head));
	memcpy(body + sizeof(head), &tensor, DEF_TENSOR_BYTES(1));
	begin_trace("");
	maker_hook(&maker, 9, EV_OPERATOR, "aclnn*");
	for (unsigned int id = 1; id <= 1003; id++) {
		struct def_launch launch = { .name = id };
		char name[32];

		snprintf(name, sizeof(name), "op%u", id);
		maker_define(&maker, DEF_STRING, id, NULL, 0, name);
		maker_define(&maker, DEF_LAUNCH, id, &launch, sizeof(launch), "");
		maker_define(&maker, DEF_SHAPES, id, body, sizeof(head) + DEF_TENSOR_BYTES(1), "");
		if (id % 100 == 0 || id == 1003)
			ck_assert_int_eq(maker_put_defs(&maker), 0);
		put_event(9, 100 + id, id, 0);
	}
	TELLS(report_of(end_trace(), true), "],\"operators_left_out\":3,");
}
END_TEST

START_TEST(tensors_beyond_those_of_a_definition_are_counted)
{
	struct def_shapes head = { .tensors = SHAPES_TENSORS + 6, .left_out = 1 };
	struct def_tensor tensor = { .type = DATA_FP32, .dimensions = 0 };
	uint8_t body[sizeof(head) + (SHAPES_TENSORS + 6) * 8];
	char text[SHAPES_LINE];
	struct key_values none = { 0 };
	struct defs defs;

	memcpy(body, &head, sizeof(head));
	for (unsigned int i = 0; i < head.tensors; i++)
		memcpy(body + sizeof(head) + (size_t)i * 8, &tensor, 8);
	maker_open(&maker, -1);
	maker_define(&maker, DEF_SHAPES, 1, body, sizeof(body), "");
	defs_init(&defs);
	defs_parse(&defs, &none, maker.defs, maker.defs_size);
	shapes_line(text, sizeof(text), table_find(&defs.shapes, 1));
	ck_assert_str_eq(strchr(text, '+'), "+7");
	defs_free(&defs);
}
END_TEST

START_TEST(of_a_graph_the_kernels_that_are_there_and_have_names_are_listed)
{
	struct {
		struct def_graph head;
		struct def_graph_kernel kernels[3];
	} graph = { { .nodes = 20, .kernels = 16, .names = 5, .others = 4 }, { { 1, 2 }, { 2, 3 }, { 9, 7 } } };
	struct key_values none = { 0 };
	const struct graph *read;
	struct defs defs;

	maker_open(&maker, -1);
	maker_define(&maker, DEF_GRAPH, 1, &graph, sizeof(graph), "");
	maker_define(&maker, DEF_GRAPH, 2, &graph, sizeof(graph.head) - 1, "");
	maker_define(&maker, DEF_STRING, 1, NULL, 0, "twice");
	maker_define(&maker, DEF_STRING, 2, NULL, 0, "thrice");
	defs_init(&defs);
	defs_parse(&defs, &none, maker.defs, maker.defs_size);
	defs_finish(&defs);
	read = table_find(&defs.graphs, 1);
	ck_assert_str_eq(read->line, "3*thrice;2*twice;+11");
	ck_assert_ptr_null(table_find(&defs.graphs, 2));
	defs_free(&defs);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("reading_limits");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, of_a_graph_the_kernels_that_are_there_and_have_names_are_listed);
	tcase_add_test(t, facts_that_find_no_room_are_counted_and_told);
	tcase_add_test(t, texts_that_find_no_room_are_counted);
	tcase_add_test(t, each_of_ten_thousand_facts_and_libraries_is_found);
	tcase_add_test(t, of_150_threads_that_died_inside_a_call_a_hundred_are_named_and_the_others_counted);
	tcase_add_test(t, a_call_inside_nine_operators_belongs_to_the_innermost);
	tcase_add_test(t, a_collective_of_a_thousand_launches_is_communication_alone);
	tcase_add_test(t, of_a_collective_with_more_launches_than_are_kept_the_first_count_as_compute_which_is_told);
	tcase_add_test(t, a_device_time_a_million_events_behind_its_call_is_joined_and_one_further_behind_is_counted);
	tcase_add_test(t, device_times_whose_steps_are_forgotten_are_counted_and_told);
	tcase_add_test(t, device_times_of_copies_whose_direction_is_forgotten_are_counted_and_told);
	tcase_add_test(t, device_times_that_wait_for_their_calls_in_vain_are_counted_and_told);
	tcase_add_test(t, ways_to_fail_that_have_no_row_are_counted_and_told);
	tcase_add_test(t, ends_of_ranges_that_are_forgotten_are_counted_and_told);
	tcase_add_test(t, operators_that_json_does_not_list_are_counted);
	tcase_add_test(t, tensors_beyond_those_of_a_definition_are_counted);
	return unit_run("reading_limits", t);
}
