/* check_causes.c - when a cause is told, and how sure it is: at the limits. */
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/why/causes.h"
#include "tests/lib/unit.h"

#define MIDDLE 100000u /* ns of the gap in the middle step of the reference */
#define NOISE  1482    /* of steps that lie 1,000 ns from the middle one: 1.4826 of that */

static struct subjects subjects;
static struct table spent[8], slow;

static void spend(struct table *shares, enum why_kind kind, uint64_t ns)
{
	*shares = TABLE(struct share);
	if (ns)
		split_add(shares, subjects_number(&subjects, kind, "before", "behind"), 1000, 1000 + ns)->count = 1;
}

/* So many steps, a third each that take 1,000 ns less, as much, and more; and one that takes `more`. */
static struct causes found(enum why_kind kind, size_t count, int64_t more, bool by_device)
{
	struct why_step step = { .by_device = by_device, .length = MIDDLE + (uint64_t)more };
	struct causes c = { .excess = more, .length = MIDDLE };
	struct usual usual = USUAL;

	subjects_init(&subjects);
	for (size_t i = 0; i < count; i++) {
		spend(&spent[i], kind, MIDDLE + 1000 * (i % 3) - (count > 2 ? 1000 : 0));
		usual_add(&usual, &spent[i]);
	}
	spend(&slow, kind, step.length);
	causes_find(&c, &subjects, &step, &slow, &usual);
	for (size_t i = 0; i < count; i++)
		table_free(&spent[i]);
	table_free(&slow);
	usual_free(&usual);
	subjects_free(&subjects);
	return c;
}

/* The first cause: how sure; -1: none was found. */
static int sure(enum why_kind kind, size_t count, int64_t more, bool by_device)
{
	struct causes c = found(kind, count, more, by_device);
	int confidence = -1;
	int64_t sum = 0;

	for (size_t i = 0; i < c.count; i++)
		sum += c.list[i].ns;
	ck_assert_int_eq(sum, more);
	if (c.list[0].kind != WHY_UNEXPLAINED) {
		ck_assert_int_eq(c.list[0].kind, kind);
		ck_assert_int_eq(c.list[0].ns, more);
		confidence = (int)c.list[0].confidence;
	}
	causes_free(&c);
	return confidence;
}

START_TEST(a_cause_is_as_sure_as_it_stands_out)
{
	ck_assert_int_eq(sure(WHY_HOST_GAP, 6, 3 * NOISE - 1, true), -1);
	ck_assert_int_eq(sure(WHY_HOST_GAP, 6, 3 * NOISE, true), CONFIDENCE_POSSIBLE);
	ck_assert_int_eq(sure(WHY_HOST_GAP, 6, 4 * NOISE - 1, true), CONFIDENCE_POSSIBLE);
	ck_assert_int_eq(sure(WHY_HOST_GAP, 6, 4 * NOISE, true), CONFIDENCE_LIKELY);
	ck_assert_int_eq(sure(WHY_HOST_GAP, 6, 10 * NOISE - 1, true), CONFIDENCE_LIKELY);
	ck_assert_int_eq(sure(WHY_HOST_GAP, 6, 10 * NOISE, true), CONFIDENCE_CERTAIN);
}
END_TEST

START_TEST(of_fewer_than_three_steps_it_is_possible)
{
	ck_assert_int_eq(sure(WHY_HOST_GAP, 3, 1000000, true), CONFIDENCE_CERTAIN);
	ck_assert_int_eq(sure(WHY_HOST_GAP, 1, 1000000, true), CONFIDENCE_POSSIBLE);
}
END_TEST

START_TEST(a_call_that_may_wait_for_work_without_times_is_possible)
{
	ck_assert_int_eq(sure(WHY_HOST_CALL, 6, 1000000, true), CONFIDENCE_CERTAIN);
	ck_assert_int_eq(sure(WHY_HOST_CALL, 6, 1000000, false), CONFIDENCE_POSSIBLE);
	ck_assert_int_eq(sure(WHY_HOST_GAP, 6, 1000000, false), CONFIDENCE_CERTAIN);
}
END_TEST

/* A hundredth of the step, where steps do not differ by themselves. */
START_TEST(less_than_a_hundredth_is_not_told)
{
	ck_assert_int_eq(sure(WHY_IDLE, 1, MIDDLE / 100 - 1, true), -1);
	ck_assert_int_eq(sure(WHY_IDLE, 1, MIDDLE / 100, true), CONFIDENCE_POSSIBLE);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("causes");

	tcase_add_test(t, a_cause_is_as_sure_as_it_stands_out);
	tcase_add_test(t, of_fewer_than_three_steps_it_is_possible);
	tcase_add_test(t, a_call_that_may_wait_for_work_without_times_is_possible);
	tcase_add_test(t, less_than_a_hundredth_is_not_told);
	return unit_run("causes", t);
}
