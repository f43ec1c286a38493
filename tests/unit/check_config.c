/* check_config.c - selections, layers, names: every rule and every complaint. */
#include "config/base/words.h"
#include "config/option_words.h"
#include "tests/lib/config_helpers.h"

/* ---- selection ---- */

static const struct {
	const char *text, *want;
} selections[] = {
	{ "", "" },
	{ "all", "all" },
	{ "-1", "all" },
	{ "3,all", "all" },
	{ "2,4", "2,4" },
	{ "4 2", "2,4" },
	{ "4, 2,4", "2,4" },
	{ "5-9", "5-9" },
	{ "0", "0" },
	{ "7-7", "7" },
	{ "5-9,8-12", "5-12" },
	{ "1,2,3", "1-3" },
	{ "1-2,4-5,3", "1-5" },
	{ "5-", "5-" },
	{ "5-,2", "2,5-" },
	{ "7,5-,2-9", "2-" },
	{ "9007199254740992", "9007199254740992" },
};

START_TEST(a_selection_reads_as_written)
{
	ck_assert_int_eq(load_variable("RANKTRACE_STEPS", selections[_i].text), 0);
	ck_assert(config.steps.given);
	ck_assert_str_eq(steps_text(), selections[_i].want);
}
END_TEST

START_TEST(a_selection_answers)
{
	int64_t first, last;

	ck_assert_int_eq(load_variable("RANKTRACE_STEPS", "2,5-9,20-"), 0);
	for (int n = 0; n < 30; n++)
		ck_assert_int_eq(selection_has(&config.steps, n),
				 n == 2 || (n >= 5 && n <= 9) || n >= 20);
	selection_run(&config.steps, 7, &first, &last);
	ck_assert(first == 5 && last == 9);
	selection_run(&config.steps, 2, &first, &last);
	ck_assert(first == 2 && last == 2);
	ck_assert(selection_after(&config.steps, 1000));

	ck_assert_int_eq(load_variable("RANKTRACE_STEPS", "2,5-9"), 0);
	ck_assert(selection_after(&config.steps, 8));
	ck_assert(!selection_after(&config.steps, 9));
	ck_assert(!selection_has(&config.steps, INT64_MIN));
}
END_TEST

START_TEST(all_has_everything)
{
	int64_t first, last;

	ck_assert_int_eq(load_variable("RANKTRACE_STEPS", "all"), 0);
	ck_assert(selection_has(&config.steps, 0));
	ck_assert(selection_has(&config.steps, INT64_MAX));
	ck_assert(selection_after(&config.steps, 5));
	selection_run(&config.steps, 5, &first, &last);
	ck_assert(first == 0 && last == INT64_MAX);
}
END_TEST

START_TEST(ranges_are_counted_after_merging)
{
	char text[2048] = "";
	size_t used = 0;

	for (int i = 0; i < CONFIG_RANGES; i++)
		used += sprintf(text + used, "%s%d", i ? "," : "", i * 2);
	ck_assert_int_eq(load_variable("RANKTRACE_STEPS", text), 0);
	ck_assert_uint_eq(config.steps.count, CONFIG_RANGES);
	sprintf(text + used, ",1000");
	ck_assert_int_eq(load_variable("RANKTRACE_STEPS", text), -EINVAL);
	ck_assert_str_eq(error, "RANKTRACE_STEPS: more than 128 separate ranges: "
				"write fewer, wider ones");
	sprintf(text + used, ",0-254");
	ck_assert_int_eq(load_variable("RANKTRACE_STEPS", text), 0);
	ck_assert_str_eq(steps_text(), "0-254");
}
END_TEST

/* ---- what nothing said means ---- */

START_TEST(unset_is_nobody_until_steps_are_given)
{
	forget_environment();
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), 0);
	ck_assert(config.enable && !config.steps.given && !config.ranks.given);
	ck_assert(!selection_has(&config.steps, 1) && !selection_has(&config.ranks, 0));
	ck_assert_int_eq(config.level, LEVEL_0);
	ck_assert_uint_eq(config.contents, CONTENT_CPU | CONTENT_DEVICE);
	ck_assert_uint_eq(config.max_size, 1ull << 30);
	ck_assert_uint_eq(config.shm_size, 256ull << 20);
	ck_assert_str_eq(config.step_source, "");

	ck_assert_int_eq(load_variable("RANKTRACE_STEPS", "2"), 0);
	ck_assert(selection_has(&config.ranks, 0) && selection_has(&config.ranks, 99));
	setenv("RANKTRACE_RANKS", "", 1);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), 0);
	ck_assert(config.ranks.given && !selection_has(&config.ranks, 0));
}
END_TEST

START_TEST(a_path_too_long_behind_the_current_directory_is_told_of_whoever_said_it)
{
	char path[sizeof(config.save_path)];

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	setenv("RANKTRACE_SAVE_PATH", path, 1);
	ck_assert_int_lt(config_load(&config, error, sizeof(error)), 0);
	ck_assert_str_eq(strtok(error, ":"), "RANKTRACE_SAVE_PATH");
}
END_TEST

START_TEST(save_path_becomes_absolute)
{
	char here[1024], want[1100];

	ck_assert_ptr_nonnull(getcwd(here, sizeof(here)));
	snprintf(want, sizeof(want), "%s/ranktrace-out", here);
	forget_environment();
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), 0);
	ck_assert_str_eq(config.save_path, want);
	ck_assert_int_eq(load_variable("RANKTRACE_SAVE_PATH", "/a/b"), 0);
	ck_assert_str_eq(config.save_path, "/a/b");
}
END_TEST

START_TEST(errno_is_kept)
{
	errno = 42;
	setenv("RANKTRACE_CONFIG", "/does/not/exist", 1);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), -EINVAL);
	ck_assert_int_eq(errno, 42);
	ck_assert(!config.enable);
}
END_TEST

/* ---- layers ---- */

START_TEST(a_later_layer_wins)
{
	forget_environment();
	write_file("steps: [1]\nlevel: level1\nranks: [0]\n", 36);
	setenv("RANKTRACE_STEPS", "7", 1);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), 0);
	ck_assert_str_eq(steps_text(), "7");
	ck_assert_int_eq(config.level, LEVEL_1);
	ck_assert(selection_has(&config.ranks, 0) && !selection_has(&config.ranks, 1));

	unsetenv("RANKTRACE_STEPS");
	setenv("RANKTRACE_STEP_START", "3", 1);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), 0);
	ck_assert_str_eq(steps_text(), "3-");
}
END_TEST

START_TEST(resolved_settings_need_no_yaml)
{
	forget_environment();
	write_file("steps: [1]\n", 11);
	setenv("RANKTRACE_RESOLVED", "1", 1);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), 0);
	ck_assert(!config.steps.given);
}
END_TEST

START_TEST(an_empty_variable_is_unset_unless_it_is_a_list_of_numbers)
{
	ck_assert_int_eq(load_variable("RANKTRACE_LEVEL", ""), 0);
	ck_assert_int_eq(load_variable("RANKTRACE_SAVE_PATH", ""), 0);
	ck_assert_int_eq(load_variable("RANKTRACE_STEP_END", ""), 0);
	ck_assert(!config.steps.given);
	ck_assert_int_eq(load_variable("RANKTRACE_STEPS", ""), 0);
	ck_assert(config.steps.given && !config.steps.count);
}
END_TEST

START_TEST(an_older_variable_is_heard_where_the_one_of_today_says_nothing)
{
	char line[256];

	ck_assert_int_eq(load_variable("RANKTRACE_ASCEND_GATE", "ask"), 0);
	ck_assert_int_eq(config.torch_npu_markers, TORCH_NPU_ASK);
	ck_assert(!config_stray_variable(line, sizeof(line)));
	setenv("RANKTRACE_TORCH_NPU_MARKERS", "", 1);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), 0);
	ck_assert_int_eq(config.torch_npu_markers, TORCH_NPU_ASK);
	setenv("RANKTRACE_TORCH_NPU_MARKERS", "both", 1);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), 0);
	ck_assert_int_eq(config.torch_npu_markers, TORCH_NPU_BOTH);
	ck_assert_int_eq(load_variable("RANKTRACE_ASCEND_GATE", "open"), -EINVAL);
	ck_assert_str_eq(error, "RANKTRACE_ASCEND_GATE: 'open' is unknown: write auto, markers, ask, allocator, both or none");
	ck_assert_int_eq(load_variable("RANKTRACE_TORCH_NPU_MARKERS", ""), 0);
	ck_assert_int_eq(config.torch_npu_markers, TORCH_NPU_AUTO);
}
END_TEST

START_TEST(contents_of_an_older_file_are_understood_and_unknown_ones_passed_over)
{
	ck_assert_uint_eq(contents_of("cpu,npu,memory"), CONTENT_CPU | CONTENT_DEVICE | CONTENT_MEMORY);
	ck_assert_uint_eq(contents_of("cpu,device"), CONTENT_CPU | CONTENT_DEVICE);
	ck_assert_uint_eq(contents_of("cpu,something,shapes"), CONTENT_CPU | CONTENT_SHAPES);
	ck_assert_uint_eq(contents_of("module,stack"), CONTENT_MODULE | CONTENT_STACK);
	ck_assert_uint_eq(contents_of(""), 0);
}
END_TEST

START_TEST(every_call_has_a_stack_unless_the_settings_say_less)
{
	ck_assert_int_eq(load_text("contents: [module, stack]\n"), 0);
	ck_assert_uint_eq(config.contents, CONTENT_MODULE | CONTENT_STACK);
	ck_assert_uint_eq(config.stack_every, 1);
	ck_assert_int_eq(load_text("stack_every: 100\n"), 0);
	ck_assert_uint_eq(config.stack_every, 100);
}
END_TEST

/* ---- the table ---- */

START_TEST(printed_settings_read_back_the_same)
{
	static char text[8192];
	struct config again;
	struct loader l;

	ck_assert_int_eq(
		load_text("steps: [1, 5-9]\nranks: all\nlevel: level2\ncontents: [npu, memory]\n"
			  "max_size: 5M\nstep_source: 'kernel:x'\njob: j\nlog: 1\n"),
		0);
	loader_begin(&l, &again, error, sizeof(error));
	for (unsigned int id = 0; id < OPTIONS; id++) {
		option_text(&config, id, text, sizeof(text));
		ck_assert_int_eq(loader_set(&l, id, "again", text), 0);
	}
	ck_assert_int_eq(loader_finish(&l), 0);
	ck_assert_int_eq(memcmp(&again, &config, sizeof(config)), 0);
}
END_TEST

START_TEST(names_follow_from_the_key)
{
	char name[OPTION_NAME];

	option_variable("step_start", name);
	ck_assert_str_eq(name, "RANKTRACE_STEP_START");
	option_variable("top_5", name);
	ck_assert_str_eq(name, "RANKTRACE_TOP_5");
	option_flag("step_start", name);
	ck_assert_str_eq(name, "--step-start");
	ck_assert_uint_eq(option_find("max_size"), OPTION_max_size);
	ck_assert_uint_eq(option_find("ascend_gate"), OPTION_torch_npu_markers);
	ck_assert_uint_eq(option_find("max"), OPTIONS);
}
END_TEST

START_TEST(a_set_of_options_has_room_for_more_than_a_word)
{
	uint64_t set[BITS_WORDS(130)] = { 0 };

	ck_assert_uint_eq(sizeof(set), 24);
	for (unsigned int n = 0; n < 130; n += 3)
		bits_add(set, n);
	for (unsigned int n = 0; n < 130; n++)
		ck_assert_msg(bits_has(set, n) == (n % 3 == 0), "%u", n);
}
END_TEST

START_TEST(words_are_joined_as_one_says_them)
{
	static const char *const words[] = { "a", "b", "c", NULL };
	char text[16], narrow[6];

	words_join(text, sizeof(text), words, "", " or ");
	ck_assert_str_eq(text, "a, b or c");
	words_join(text, sizeof(text), words + 2, "'", " or ");
	ck_assert_str_eq(text, "'c'");
	words_join(text, sizeof(text), words + 3, "", " or ");
	ck_assert_str_eq(text, "");
	words_join(narrow, sizeof(narrow), words, "", " or ");
	ck_assert_str_eq(narrow, "a, b ");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("config");

	tcase_add_loop_test(t, a_selection_reads_as_written, 0, COUNT(selections));
	tcase_add_test(t, a_selection_answers);
	tcase_add_test(t, all_has_everything);
	tcase_add_test(t, ranges_are_counted_after_merging);
	tcase_add_test(t, unset_is_nobody_until_steps_are_given);
	tcase_add_test(t, a_path_too_long_behind_the_current_directory_is_told_of_whoever_said_it);
	tcase_add_test(t, save_path_becomes_absolute);
	tcase_add_test(t, errno_is_kept);
	tcase_add_test(t, a_later_layer_wins);
	tcase_add_test(t, resolved_settings_need_no_yaml);
	tcase_add_test(t, an_empty_variable_is_unset_unless_it_is_a_list_of_numbers);
	tcase_add_test(t, an_older_variable_is_heard_where_the_one_of_today_says_nothing);
	tcase_add_test(t, contents_of_an_older_file_are_understood_and_unknown_ones_passed_over);
	tcase_add_test(t, every_call_has_a_stack_unless_the_settings_say_less);
	tcase_add_test(t, printed_settings_read_back_the_same);
	tcase_add_test(t, names_follow_from_the_key);
	tcase_add_test(t, a_set_of_options_has_room_for_more_than_a_word);
	tcase_add_test(t, words_are_joined_as_one_says_them);
	return run_cases("config", t);
}
