/* check_yaml.c - what a file of settings may hold, and the exact line of every complaint. */
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "config/option_words.h"
#include "tests/lib/bad_settings.h"
#include "tests/lib/config_helpers.h"

/* ---- YAML that is good ---- */

static const struct {
	const char *yaml, *steps;
} good[] = {
	{ "", "" },
	{ "# nothing\n", "" },
	{ "---\n...\n", "" },
	{ "\xef\xbb\xbf", "" },
	{ "\xef\xbb\xbfsteps: 7\r\n", "7" },
	{ "steps: [2, 4]\n", "2,4" },
	{ "steps:\n  - 2\n  - 5-9\n", "2,5-9" },
	{ "steps: 2,4\n", "2,4" },
	{ "steps: '2 4'\n", "2,4" },
	{ "steps: all\n", "all" },
	{ "steps: -1\n", "all" },
	{ "steps: [-1]\n", "all" },
	{ "steps: []\n", "" },
	{ "steps: '[2, 4]'\n", "2,4" },
	{ "steps: null\n", "" },
	{ "steps: null\nstep_start: 2\nstep_end: 4\n", "2,3" },
	{ "steps:\n", "" },
	{ "step_start: 5\nstep_end: 9\n", "5-8" },
	{ "step_start: 5\n", "5-" },
	{ "step_start: 5\nstep_end: -1\n", "5-" },
	{ "step_end: 3\n", "0-2" },
	{ "steps: [3]\nstep_end: -1\n", "3" },
	{ "steps: [1]\nenable: True\ndiscrete: False\nanalysis: no\n", "1" },
	{ "steps: [1]\ndiscrete: false\nanalysis: false\nexport: []\nroles: {}\n", "1" },
	{ "steps: [1]\ndiscrete: null\nroles: ~\n", "1" },
	{ "steps: [1]\ndiscrete: true\nschedule: {}\nreset: never\n", "1" },
	{ "schedule:\n  wait: 1\n  active: '3'\n  repeat:\n", "all" },
	{ "steps: [1]\nanalysis: true\nexport_type: db\ndata_simplification: false\nwait: false\n", "1" },
	{ "steps: [1]\nenable: true\nlevel: level1\ncontents: [cpu, gpu, memory, shapes]\n", "1" },
	{ "{steps: [1], step: {sources: [api, 'kernel:adam.*']}}\n", "1" },
	{ "steps: [1]\nstep_source: [api, 'symbol:libt.so:train@return']\n", "1" },
	{ "steps: [1]\nmax_size: 64K\nshm_size: 1G\njob: night-1.2\nlog: 2\n", "1" },
};

START_TEST(good_yaml_is_read)
{
	ck_assert_msg(!load_text(good[_i].yaml), "%s: %s", good[_i].yaml, error);
	ck_assert_str_eq(steps_text(), good[_i].steps);
}
END_TEST

START_TEST(yaml_fills_every_kind_of_field)
{
	ck_assert_int_eq(load_text("enable: off\nlevel: level_none\ncontents: [npu]\n"
				   "step: {sources: [api, 'kernel:a;b']}\n"),
			 -EINVAL);
	ck_assert_int_eq(load_text("enable: off\nlevel: level_none\ncontents: [device, memory]\n"
				   "step: {sources: [api, 'kernel:a,b c']}\nmax_size: 3M\n"),
			 0);
	ck_assert(!config.enable);
	ck_assert_int_eq(config.level, LEVEL_NONE);
	ck_assert_uint_eq(config.contents, CONTENT_DEVICE | CONTENT_MEMORY);
	ck_assert_str_eq(config.step_source, "api;kernel:a,b c");
	ck_assert_uint_eq(config.max_size, 3ull << 20);
}
END_TEST

START_TEST(older_words_are_read_like_those_of_today)
{
	static const char *const words[] = { "device", "npu", "gpu" };
	static const char *const keys[] = { "torch_npu_markers", "ascend_gate" };
	char yaml[128];

	for (int i = 0; i < COUNT(words); i++) {
		snprintf(yaml, sizeof(yaml), "contents: [%s]\n", words[i]);
		ck_assert_int_eq(load_text(yaml), 0);
		ck_assert_uint_eq(config.contents, CONTENT_DEVICE);
	}
	for (int i = 0; i < COUNT(keys); i++) {
		snprintf(yaml, sizeof(yaml), "%s: both\n", keys[i]);
		ck_assert_int_eq(load_text(yaml), 0);
		ck_assert_int_eq(config.torch_npu_markers, TORCH_NPU_BOTH);
	}
}
END_TEST

/* ---- YAML that is not ---- */

static char data_path[PATH_MAX];

START_TEST(every_bad_file_gets_one_line_with_place_and_remedy_in_4_mib)
{
	static struct bad_settings bad;
	char want[1100];
	FILE *file = fopen(data_path, "r");
	int count = 0, err;

	ck_assert_ptr_nonnull(file);
	unit_limit_memory(4 << 20);
	for (; bad_settings_next(file, &bad); count++) {
		forget_environment();
		write_file(bad.text, bad.size);
		snprintf(want, sizeof(want), FILE_NAME ":%s", bad.complaint);
		err = config_load(&config, error, sizeof(error));
		ck_assert_msg(err == -EINVAL, "bad_settings.txt:%u is read", bad.line);
		ck_assert_msg(!strcmp(error, want), "bad_settings.txt:%u: %s", bad.line, error);
		ck_assert(!config.enable);
	}
	ck_assert_int_ge(count, 150);
	fclose(file);
}
END_TEST

START_TEST(yaml_has_limits)
{
	static char text[(64 << 10) + 2];

	forget_environment();
	memset(text, '#', sizeof(text));
	write_file(text, 64 << 10);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), 0);
	write_file(text, (64 << 10) + 1);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), -EINVAL);
	ck_assert_str_eq(error, FILE_NAME ": larger than 64 KiB: give a file of settings");

	memset(text, '[', 60000);
	memcpy(text, "- ", 2);
	write_file(text, 60000);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), -EINVAL);

	memcpy(text, "steps: [", 8);
	for (int i = 8; i < 20000; i += 2)
		memcpy(text + i, "1,", 2);
	memcpy(text + 20000, "]\n", 2);
	write_file(text, 20002);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), -EINVAL);
	ck_assert_str_eq(error, FILE_NAME ":1: more than 4096 values and brackets: write fewer");

	setenv("RANKTRACE_CONFIG", "/proc", 1);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), -EINVAL);
	ck_assert_str_eq(error, "/proc: cannot be read: Is a directory: give another file");
}
END_TEST

/* Nobody waits for its other end in a traced process. */
START_TEST(yaml_is_no_pipe)
{
	forget_environment();
	unlink(FILE_NAME);
	ck_assert_int_eq(mkfifo(FILE_NAME, 0600), 0);
	setenv("RANKTRACE_CONFIG", FILE_NAME, 1);
	ck_assert_int_eq(config_load(&config, error, sizeof(error)), -EINVAL);
	ck_assert_str_eq(error, FILE_NAME ": a pipe: give a file, or let ranktrace-run read it");
	unlink(FILE_NAME);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("yaml");

	/* run-tests starts us in the root of the tree; the cases run elsewhere. */
	if (!realpath("tests/data/bad_settings.txt", data_path))
		return 1;

	tcase_add_loop_test(t, good_yaml_is_read, 0, COUNT(good));
	tcase_add_test(t, yaml_fills_every_kind_of_field);
	tcase_add_test(t, older_words_are_read_like_those_of_today);
	tcase_add_test(t, every_bad_file_gets_one_line_with_place_and_remedy_in_4_mib);
	tcase_add_test(t, yaml_has_limits);
	tcase_add_test(t, yaml_is_no_pipe);
	return run_cases("yaml", t);
}
