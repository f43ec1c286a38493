/* Which first phase an operator is joined to, when places of plans are used again. */
#include "analysis/trace/operators.h"
#include "tests/lib/unit.h"

static struct operators operators;

static uint64_t told(enum event_kind kind, const char *name, uint64_t plan, uint64_t begin, uint64_t end)
{
	struct launch launch = { .name = (char *)name };
	struct trace_event ev = { .kind = kind, .launch = &launch, .plan = plan, .begin_ns = begin, .duration_ns = end - begin };

	return operators_plan(&operators, &ev);
}

static uint64_t prepared(const char *name, uint64_t plan, uint64_t begin, uint64_t end)
{
	return told(EV_PREPARE, name, plan, begin, end);
}

static uint64_t ran(const char *name, uint64_t plan, uint64_t begin)
{
	return told(EV_OPERATOR, name, plan, begin, begin + 5);
}

static void begin(void)
{
	operators = OPERATORS;
}

static void end(void)
{
	operators_free(&operators);
}

START_TEST(an_operator_is_joined_to_the_first_phase_with_its_plan_once)
{
	uint64_t add = prepared("aclnnAddGetWorkspaceSize", 8, 10, 20), mul = prepared("aclnnMulGetWorkspaceSize", 16, 21, 30);

	ck_assert_uint_eq(ran("aclnnMul", 16, 40), mul);
	ck_assert_uint_eq(ran("aclnnAdd", 8, 50), add);
	ck_assert_uint_eq(ran("aclnnAdd", 8, 60), 0);
	ck_assert_uint_eq(ran("aclnnAdd", 24, 70), 0);
}
END_TEST

/* The queue runs a plan while the next first phase is under way, which then gets the same place. */
START_TEST(a_first_phase_under_way_does_not_take_the_place_of_one_that_is_over)
{
	uint64_t sub = prepared("aclnnSubGetWorkspaceSize", 8, 10, 20), copy = prepared("aclnnInplaceCopyGetWorkspaceSize", 8, 30, 90);

	ck_assert_uint_eq(ran("aclnnSub", 8, 40), sub);
	ck_assert_uint_eq(ran("aclnnInplaceCopy", 8, 100), copy);
}
END_TEST

START_TEST(a_first_phase_of_the_same_operator_under_way_is_not_meant)
{
	uint64_t first = prepared("aclnnAddGetWorkspaceSize", 8, 10, 20), second = prepared("aclnnAddGetWorkspaceSize", 8, 30, 90);

	ck_assert_uint_eq(ran("aclnnAdd", 8, 40), first);
	ck_assert_uint_eq(ran("aclnnAdd", 8, 100), second);
}
END_TEST

START_TEST(a_plan_that_was_never_run_is_nobody_elses)
{
	uint64_t second;

	prepared("aclnnAddGetWorkspaceSize", 8, 10, 20);
	second = prepared("aclnnMulGetWorkspaceSize", 8, 30, 40);
	ck_assert_uint_eq(ran("aclnnMul", 8, 50), second);
	ck_assert_uint_eq(ran("aclnnMulAdd", 8, 60), 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("plans");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, an_operator_is_joined_to_the_first_phase_with_its_plan_once);
	tcase_add_test(t, a_first_phase_under_way_does_not_take_the_place_of_one_that_is_over);
	tcase_add_test(t, a_first_phase_of_the_same_operator_under_way_is_not_meant);
	tcase_add_test(t, a_plan_that_was_never_run_is_nobody_elses);
	return unit_run("plans", t);
}
