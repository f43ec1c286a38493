/* check_yaml.c - what a file of settings may hold, and the exact line of every complaint. */
#include "tests/config_helpers.h"

/* ---- YAML that is good ---- */

static const struct {
	const char *yaml, *steps;
} good[] = {
	{ "", "" },
	{ "# nothing\n", "" },
	{ "---\n...\n", "" },
	{ "steps: [2, 4]\n", "2,4" },
	{ "steps:\n  - 2\n  - 5-9\n", "2,5-9" },
	{ "steps: 2,4\n", "2,4" },
	{ "steps: '2 4'\n", "2,4" },
	{ "steps: all\n", "all" },
	{ "steps: -1\n", "all" },
	{ "steps: [-1]\n", "all" },
	{ "steps: []\n", "" },
	{ "steps: null\n", "" },
	{ "steps:\n", "" },
	{ "step_start: 5\nstep_end: 9\n", "5-8" },
	{ "step_start: 5\n", "5-" },
	{ "step_start: 5\nstep_end: -1\n", "5-" },
	{ "step_end: 3\n", "0-2" },
	{ "steps: [3]\nstep_end: -1\n", "3" },
	{ "steps: [1]\ndiscrete: false\nanalysis: false\nexport: []\nroles: {}\n", "1" },
	{ "steps: [1]\ndiscrete: null\nroles: ~\n", "1" },
	{ "steps: [1]\nenable: true\nlevel: level1\ncontents: [cpu, gpu, memory, shapes]\n", "1" },
	{ "{steps: [1], step: {sources: [api, 'kernel:adam.*']}}\n", "1" },
	{ "steps: [1]\nstep_source: [api, 'symbol:libt.so:train@return']\n", "1" },
	{ "steps: [1]\nmax_size: 64K\nshm_size: 1G\njob: night-1.2\nlog: 2\n", "1" },
};

START_TEST(good_yaml_is_read)
{
	ck_assert_msg(!load_yaml(good[_i].yaml), "%s: %s", good[_i].yaml, error);
	ck_assert_str_eq(steps_text(), good[_i].steps);
}
END_TEST

START_TEST(yaml_fills_every_kind_of_field)
{
	ck_assert_int_eq(load_yaml("enable: off\nlevel: level_none\ncontents: [npu]\n"
				   "step: {sources: [api, 'kernel:a;b']}\n"),
			 -EINVAL);
	ck_assert_int_eq(load_yaml("enable: off\nlevel: level_none\ncontents: [device, memory]\n"
				   "step: {sources: [api, 'kernel:a,b c']}\nmax_size: 3M\n"),
			 0);
	ck_assert(!config.enable);
	ck_assert_int_eq(config.level, LEVEL_NONE);
	ck_assert_uint_eq(config.contents, CONTENT_NPU | CONTENT_MEMORY);
	ck_assert_str_eq(config.step_source, "api;kernel:a,b c");
	ck_assert_uint_eq(config.max_size, 3ull << 20);
}
END_TEST

/* ---- YAML that is not ---- */

static const struct {
	const char *yaml, *line;
} bad[] = {
	{ "step: 2\n", "1: unknown key 'step': write 'steps'" },
	{ "\n\nstpes: 2\n", "3: unknown key 'stpes': write 'steps'" },
	{ "save-path: x\n", "1: unknown key 'save-path': write 'save_path'" },
	{ "qwertyuiop: x\n", "1: unknown key 'qwertyuiop': docs/options.md lists the keys" },
	{ "steps: [1]\nsteps: [2]\n", "2: the key 'steps' stands here twice: keep one" },
	{ "steps: {a: 1}\n", "1: steps: a mapping cannot stand here: write a list like [a, b]" },
	{ "level: [level0]\n", "1: level: a list cannot stand here: write one value" },
	{ "steps: [[1]]\n", "1: a list holds plain values here, like [2, 4]" },
	{ "steps: [~]\n", "1: a list holds plain values here, like [2, 4]" },
	{ "steps: [1.5]\n", "1: steps: '1.5' is no range: write it like 5-9" },
	{ "steps: two\n",
	  "1: steps: 'two' is no number from 0 to 2^53: write numbers, ranges like 5-9, or all" },
	{ "steps: 2|4\n", "1: steps: '2|4' is no range: write it like 5-9" },
	{ "steps: -3\n", "1: steps: '-3' is negative: write numbers from 0, or -1 for all" },
	{ "steps: 9-5\n", "1: steps: the range '9-5' runs backwards: write 5-9" },
	{ "steps: 9007199254740993\n",
	  "1: steps: '9007199254740993' is no number from 0 to 2^53: write numbers, ranges like 5-9, or all" },
	{ "steps: 5--1\n", "1: steps: '5--1' is no range: write it like 5-9" },
	{ "steps: [1]\nstep_start: 3\n",
	  "2: step_start: steps and step_start are both given: keep one" },
	{ "step_end: 3\nsteps: [1]\n", "2: steps: steps and step_end are both given: keep one" },
	{ "step_start: 5\nstep_end: 3\n",
	  "2: step_end: step_end 3 is not after step_start 5: write a step_end of 6 or more, or -1 for no end" },
	{ "step_start: 5\nstep_end: 5\n",
	  "2: step_end: step_end 5 is not after step_start 5: write a step_end of 6 or more, or -1 for no end" },
	{ "step_start: -2\n",
	  "1: step_start: '-2' is no step: write a number from 0 to 2^53, or -1 for unset" },
	{ "level: 1\n", "1: level: '1' is no level: write level_none, level0, level1 or level2" },
	{ "contents: [cpu, gpus]\n",
	  "1: contents: 'gpus' is nothing to record: write cpu, npu, memory or shapes" },
	{ "contents: [stack]\n",
	  "1: contents: 'stack' is not in this version: write cpu, npu, memory or shapes" },
	{ "contents: [cpu, module]\n",
	  "1: contents: 'module' is not in this version: write cpu, npu, memory or shapes" },
	{ "contents: []\n", "1: contents: nothing to record: write cpu, npu, memory or shapes" },
	{ "enable: maybe\n", "1: enable: 'maybe' is neither true nor false" },
	{ "max_size: 0\n",
	  "1: max_size: '0' is no size: write bytes from 1 to 2^53, or like 64K, 2G" },
	{ "max_size: 5T\n",
	  "1: max_size: '5T' is no size: write bytes from 1 to 2^53, or like 64K, 2G" },
	{ "max_size: 9007199254740992K\n",
	  "1: max_size: '9007199254740992K' is no size: write bytes from 1 to 2^53, or like 64K, 2G" },
	{ "job: ../x\n",
	  "1: job: '../x' is no name: write letters, digits, '.', '_' and '-', no '.' in front" },
	{ "log: many\n", "1: log: 'many' is no log level: write a digit, 0 for one line a cause" },
	{ "discrete: true\n",
	  "1: discrete: this version does not support it yet: take the line away" },
	{ "roles: {actor: {}}\n",
	  "1: roles: this version does not support it yet: take the line away" },
	{ "export: [perfetto]\n",
	  "1: export: this version does not support it yet: take the line away" },
	{ "analysis: true\n",
	  "1: analysis: this version does not support it yet: take the line away" },
	{ "step: {counter: 1}\n",
	  "1: step holds nothing but sources: write step: {sources: [api]}" },
	{ "step: {sources: [auto]}\n",
	  "1: step_source: the step source 'auto' is not in this version: write api, symbol:LIB:NAME@entry (or @return) or kernel:REGEX" },
	{ "step: {sources: [api]}\nstep_source: api\n",
	  "2: step_source and step.sources say the same: keep one" },
	{ "step: {sources: [api], sources: [api]}\n",
	  "1: step_source and step.sources say the same: keep one" },
	{ "a: &x 1\n", "1: unknown key 'a': docs/options.md lists the keys" },
	{ "steps: &x [1]\n", "1: anchors are not read: take '&x' away" },
	{ "steps: *x\n", "1: aliases are not read: write the value out" },
	{ "steps: !!str 1\n", "1: tags are not read: take 'tag:yaml.org,2002:str' away" },
	{ "<<: {steps: 1}\n", "1: merge keys are not read: write the values out" },
	{ "[steps]: 1\n", "1: a key must be a word, like steps" },
	{ "- steps\n", "1: no settings: write lines like steps: [2, 4]" },
	{ "steps\n", "1: no settings: write lines like steps: [2, 4]" },
	{ "steps: 1\n---\nsteps: 2\n", "2: a second document begins: keep one" },
	{ "job: \"a\\0b\"\n", "1: a NUL cannot stand here" },
	{ "save_path: \"a\\tb\"\n", "1: save_path: a control character cannot stand here" },
	{ "steps: [1\nranks: 2\n", "2: this is not YAML: did not find expected ',' or ']'" },
};

START_TEST(bad_yaml_names_line_and_remedy)
{
	char want[512];

	snprintf(want, sizeof(want), FILE_NAME ":%s", bad[_i].line);
	ck_assert_int_eq(load_yaml(bad[_i].yaml), -EINVAL);
	ck_assert_str_eq(error, want);
	ck_assert(!config.enable);
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
	ck_assert_str_eq(error, FILE_NAME ": larger than 64 KiB: that is no file of settings");

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
	ck_assert_str_eq(error, "/proc: cannot be read: Is a directory");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("yaml");

	tcase_add_loop_test(t, good_yaml_is_read, 0, COUNT(good));
	tcase_add_test(t, yaml_fills_every_kind_of_field);
	tcase_add_loop_test(t, bad_yaml_names_line_and_remedy, 0, COUNT(bad));
	tcase_add_test(t, yaml_has_limits);
	return run_cases("yaml", t);
}
