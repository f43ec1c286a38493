/* check_words.c - which word of a list is meant by one that is none of them. */
#include "config/base/words.h"

#include <string.h>

#include "tests/lib/unit.h"

#define LONG "pytorch_profiler_collect_callstacks_of_each_operator_and_of_no_one" /* longer than any word is looked at */

static const struct {
	const char *word, *nearest;
} rows[] = {
	{ "stpes", "steps" },
	{ "ranks", "ranks" },
	{ "rank", "ranks" },
	{ "x", NULL },
	{ "shedule", "schedule" },
	{ "pytorch_profiler_colect_callstack", "pytorch_profiler_collect_callstack" },
	{ LONG, NULL },
	{ "pytorch_profiler_collect_callstacks_of_each_operator_and_of_noone", NULL },
};

START_TEST(the_nearest_word_is_meant_however_long_others_are)
{
	static const char *const list[] = { "steps", "ranks", LONG, "schedule", "pytorch_profiler_collect_callstack", NULL };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *near = word_nearest(rows[i].word, list);

		ck_assert_msg(near == rows[i].nearest || (near && rows[i].nearest && !strcmp(near, rows[i].nearest)), "%s: %s, not %s", rows[i].word, near,
			      rows[i].nearest);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("words");

	tcase_add_test(t, the_nearest_word_is_meant_however_long_others_are);
	return unit_run("words", t);
}
