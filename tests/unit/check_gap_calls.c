/* check_gap_calls.c - calls are found by what they wrote, while those before them are forgotten and room is made. */
#include "analysis/report/gap_calls.h"
#include "tests/lib/unit.h"

#define CALLS 3000

static const struct gap_call *at(const struct gap_calls *c, uint32_t slot)
{
	const struct gap_thread *thread;

	return gap_calls_at(c, 1, slot, &thread);
}

/* Slots of a ring begin again at 0. */
static uint32_t slot_of(uint64_t call)
{
	return (uint32_t)call - CALLS / 2;
}

static void take(struct gap_calls *c, uint64_t call)
{
	const struct trace_event ev = { .tid = 7, .ring = 1, .slot = (uint64_t)UINT32_MAX + 1 + call - CALLS / 2, .begin_ns = 10 * call, .duration_ns = 5 };

	gap_calls_take(c, &ev, 1);
}

/* So many, the last ones, are there. */
static void check_last(const struct gap_calls *c, uint64_t end, uint64_t kept)
{
	for (uint64_t call = end - kept; call < end; call++) {
		const struct gap_call *found = at(c, slot_of(call));

		ck_assert_ptr_nonnull(found);
		ck_assert_uint_eq(found->begin, 10 * call);
	}
	ck_assert_ptr_null(at(c, slot_of(end)));
}

START_TEST(calls_are_found_while_others_are_forgotten)
{
	for (uint64_t kept = 1; kept < 1000; kept += 111) {
		struct gap_calls c = GAP_CALLS;

		for (uint64_t call = 0; call < CALLS; call++) {
			take(&c, call);
			if (call + 1 > kept)
				gap_calls_forget(&c, 10 * (call - kept) + 5);
			if (call % 97 == 0)
				check_last(&c, call + 1, call + 1 < kept ? call + 1 : kept);
		}
		gap_calls_free(&c);
	}
}
END_TEST

START_TEST(what_is_forgotten_leaves_its_room_to_others)
{
	struct gap_calls c = GAP_CALLS;

	for (uint64_t call = 0; call < CALLS; call++) {
		take(&c, call);
		if (call >= 200)
			gap_calls_forget(&c, 10 * (call - 200) + 5);
	}
	ck_assert_uint_eq(((struct gap_thread *)table_item(&c.threads, 0))->capacity, 256);
	gap_calls_free(&c);
}
END_TEST

START_TEST(a_call_stands_for_those_made_inside_of_it)
{
	struct gap_calls c = GAP_CALLS;
	const struct trace_event outer = { .tid = 7, .ring = 1, .slot = 3, .begin_ns = 5, .duration_ns = 100 };

	for (uint64_t call = 0; call < 3; call++) {
		const struct trace_event ev = { .tid = 7, .ring = 1, .slot = call, .begin_ns = 10 * call, .duration_ns = 5 };

		gap_calls_take(&c, &ev, 1);
	}
	gap_calls_take(&c, &outer, 1);
	ck_assert_uint_eq(at(&c, 0)->begin, 0);
	ck_assert_uint_eq(at(&c, 1)->begin, 5);
	ck_assert_uint_eq(at(&c, 3)->begin, 5);
	ck_assert_ptr_null(at(&c, 4));
	gap_calls_free(&c);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("gap_calls");

	tcase_add_test(t, calls_are_found_while_others_are_forgotten);
	tcase_add_test(t, what_is_forgotten_leaves_its_room_to_others);
	tcase_add_test(t, a_call_stands_for_those_made_inside_of_it);
	return unit_run("gap_calls", t);
}
