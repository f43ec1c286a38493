/* check_schedule.c - which numbers a schedule records, alone and beside a list of steps. */
#include <string.h>
#include "config/schedule.h"
#include "config/step_choice.h"
#include "tests/lib/unit.h"

static struct schedule read_schedule(const char *text)
{
	struct schedule s;
	char why[256] = "";

	ck_assert_msg(!schedule_read(&s, text, why, sizeof(why)), "%s", why);
	return s;
}

/* "30-59": what is recorded of the first 100. */
static const char *recorded(const char *text)
{
	static char runs[256];
	struct schedule s = read_schedule(text);
	char item[64] = "";

	runs[0] = '\0';
	for (int64_t i = 0; i < 100; i++) {
		int64_t first, last;

		if (!schedule_has(&s, i))
			continue;
		schedule_run(&s, i, &first, &last);
		snprintf(item, sizeof(item), "%s%lld-%lld", runs[0] ? " " : "", (long long)first, (long long)last);
		ck_assert_uint_lt(strlen(runs) + strlen(item), sizeof(runs));
		strcat(runs, item);
		i = last < 100 ? last : 100;
	}
	return runs;
}

START_TEST(it_records_what_its_documents_say)
{
	ck_assert_str_eq(recorded("wait=1,warmup=1,active=3,repeat=1"), "2-4");
	ck_assert_str_eq(recorded("wait=29,warmup=1,active=30,repeat=1"), "30-59");
	ck_assert_str_eq(recorded("skip_first=10,wait=20,warmup=1,active=2,repeat=2"), "31-32 54-55");
	ck_assert_str_eq(recorded("skip_first=10,skip_first_wait=1,wait=20,warmup=1,active=2,repeat=2"), "11-12 34-35");
	ck_assert_str_eq(recorded("active=5, repeat=1"), "0-4");
	ck_assert_str_eq(recorded("active=40 repeat=2"), "0-39 40-79");
	ck_assert_str_eq(recorded("skip_first=5,active=all"), "5-9223372036854775807");
}
END_TEST

/* As somebody would find it who looks at each number. */
static int64_t next_by_looking(const struct step_choice *c, int64_t n, int64_t most)
{
	while (++n <= most)
		if (step_choice_has(c, n))
			return n;
	return INT64_MAX;
}

START_TEST(the_next_step_is_the_one_that_looking_finds)
{
	static const char *const lists[] = { "all", "5-", "2,4", "1-30,50-", "7,20-22,90" };
	struct selection steps;
	char text[128], why[256];

	for (int i = 0; i < 300; i++) {
		struct schedule s;
		struct step_choice c = { &steps, &s, (int64_t)(unit_random() % 2), true };

		snprintf(text, sizeof(text), "skip_first=%u,skip_first_wait=%u,wait=%u,warmup=%u,active=%u,repeat=%u", (unsigned int)(unit_random() % 20),
			 (unsigned int)(unit_random() % 2), (unsigned int)(unit_random() % 12), (unsigned int)(unit_random() % 3),
			 1 + (unsigned int)(unit_random() % 6), (unsigned int)(unit_random() % 4));
		s = read_schedule(text);
		ck_assert(!selection_read(&steps, lists[i % 5], why, sizeof(why)));
		for (int64_t n = -3; n < 120; n++) {
			int64_t next = step_choice_next(&c, n), first, last;

			ck_assert_msg(next == next_by_looking(&c, n, 400) || (next > 400 && next_by_looking(&c, n, 400) == INT64_MAX),
				      "%s of %s behind %lld: %lld", text, lists[i % 5], (long long)n, (long long)next);
			if (!step_choice_has(&c, n))
				continue;
			step_choice_run(&c, n, &first, &last);
			ck_assert(first <= n && n <= last);
			for (int64_t k = first; k <= last && k < 400; k++)
				ck_assert(step_choice_has(&c, k));
		}
	}
}
END_TEST

/* A resumed run's first step is its own 40. */
START_TEST(a_relative_one_begins_with_the_first_step_that_there_is)
{
	struct schedule s = read_schedule("skip_first=5,active=2,repeat=1,relative=1");
	struct selection all = { .given = true, .all = true };
	struct step_choice c = STEP_CHOICE(&all, &s);

	step_choice_meet(&c, 40);
	step_choice_meet(&c, 41);
	ck_assert_int_eq(step_choice_next(&c, 40), 45);
	ck_assert(step_choice_has(&c, 46));
	ck_assert(!step_choice_has(&c, 47));
	ck_assert(!step_choice_has(&c, 6));
}
END_TEST

START_TEST(steps_beyond_all_numbers_have_no_place_in_it)
{
	struct schedule s = read_schedule("wait=9007199254740992,active=9007199254740992");
	struct selection all = { .all = true };
	const struct step_choice c = { &all, &s, 1, true };

	ck_assert_int_eq(step_choice_next(&c, INT64_MIN), 9007199254740993);
	ck_assert_int_eq(step_choice_next(&c, INT64_MAX - 1), INT64_MAX);
	ck_assert(!step_choice_has(&c, INT64_MAX));
	ck_assert(!step_choice_has(&c, INT64_MIN + 1));
}
END_TEST

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", "active is missing, or 0: nothing would be recorded: write active=1 or more" },
	{ "wait=1,active=0", "active is missing, or 0: nothing would be recorded: write active=1 or more" },
	{ "wat=1,active=1", "'wat' is no part of a schedule: write wait" },
	{ "active", "'active' is no part of a schedule: write it like wait=1,warmup=1,active=3,repeat=1" },
	{ "active=-1", "active=-1: write a number from 0 to 2^53" },
	{ "active=1e3", "active=1e3: write a number from 0 to 2^53" },
	{ "counter=token,active=1", "counter=token: write step, mini or micro" },
	{ "wait=1,active=1,wait=1", "wait is given twice: keep one" },
	{ "counter=mini counter=step active=1", "counter is given twice: keep one" },
	{ "of=micro,active=1", "'of' is no part of a schedule: write counter, skip_first, skip_first_wait, wait, warmup, active, repeat or relative" },
};

START_TEST(what_is_no_schedule_is_refused)
{
	struct schedule s;
	char why[256] = "";

	ck_assert(schedule_read(&s, bad[_i].text, why, sizeof(why)));
	ck_assert_str_eq(why, bad[_i].why);
}
END_TEST

START_TEST(it_is_printed_as_it_is_read)
{
	struct schedule s = read_schedule("repeat=2 active=30, wait=29,warmup=1 counter=micro"), again;
	char text[192];

	schedule_text(&s, text, sizeof(text));
	ck_assert_str_eq(text, "counter=micro,wait=29,warmup=1,active=30,repeat=2");
	again = read_schedule(text);
	ck_assert(!memcmp(&s, &again, sizeof(s)));
	s = read_schedule("counter=micro,skip_first=9007199254740992,skip_first_wait=9007199254740992,wait=9007199254740992,warmup=9007199254740992,"
			  "active=9007199254740992,repeat=9007199254740992");
	schedule_text(&s, text, sizeof(text));
	ck_assert_uint_lt(strlen(text) + 1, sizeof(text));
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("schedule");

	tcase_set_timeout(c, 120);
	tcase_add_test(c, it_records_what_its_documents_say);
	tcase_add_test(c, the_next_step_is_the_one_that_looking_finds);
	tcase_add_test(c, a_relative_one_begins_with_the_first_step_that_there_is);
	tcase_add_test(c, steps_beyond_all_numbers_have_no_place_in_it);
	tcase_add_loop_test(c, what_is_no_schedule_is_refused, 0, sizeof(bad) / sizeof(*bad));
	tcase_add_test(c, it_is_printed_as_it_is_read);
	return unit_run("schedule", c);
}
