/* check_verl_told.c - what is refused of verl's settings, and what is said of them. */
#include "tests/lib/verl_words.h"

static const struct {
	const char *yaml, *complaint;
} bad_files[] = {
	{ "global_profiler:\n  steps: 3\n", ":2: global_profiler.steps: this is no list: write one like [1,2]" },
	{ "global_profiler:\n  steps: [1, two]\n", ":2: global_profiler.steps: a list of numbers from 0 is meant: write one like [1,2]" },
	{ "global_profiler:\n  steps: [1]\n  steps: [2]\n", ":3: the key 'steps' is given twice: keep one" },
	{ "global_profiler: {steps: [1]}\nactor_rollout_ref: {<<: {a: 1}}\n", ":2: merge keys are not supported: write the values out" },
	{ "global_profiler: {steps: [1]}\n---\na: 1\n", ":2: a second document begins: keep one" },
	{ "actor_rollout_ref:\n  actor: {profiler: {enable: '${critic}'}}\n",
	  ":2: actor_rollout_ref.actor.profiler.enable: this is neither true nor false: write True or False" },
	{ "actor_rollout_ref: {actor: {profiler: {enable: 7}}}\n",
	  ":1: actor_rollout_ref.actor.profiler.enable: this is neither true nor false: write True or False" },
	{ "actor_rollout_ref:\n  actor:\n    profiler: {enable: true, tool_config: {npu: {level: level4}}}\n",
	  ":3: actor_rollout_ref.actor.profiler.tool_config.npu.level: 'level4' is not a level: write level_none, level0, level1 or level2" },
	{ "actor_rollout_ref:\n  actor:\n    profiler: {enable: true, tool_config: {npu: {contents: [npus]}}}\n",
	  ":3: actor_rollout_ref.actor.profiler.tool_config.npu.contents: not all of this can be recorded: write npu, cpu, memory, shapes, module or stack" },
	{ "actor_rollout_ref:\n  actor: {profiler: {enable: true}}\n  rollout: {profiler: {tool_config: {npu: {profile_token_start: 5, profile_token_end: 5}}}}\n",
	  ":3: actor_rollout_ref.rollout.profiler.tool_config.npu.profile_token_end: this is not after profile_token_start: "
	  "write a greater number, or null" },
};

START_TEST(of_a_file_the_line_is_named)
{
	ck_assert_int_eq(load_text(bad_files[_i].yaml), -EINVAL);
	ck_assert(!strncmp(error, FILE_NAME, strlen(FILE_NAME)));
	ck_assert_str_eq(error + strlen(FILE_NAME), bad_files[_i].complaint);
}
END_TEST

static const struct {
	const char *word, *complaint;
} bad_words[] = {
	{ "global_profiler.steps=3", "global_profiler.steps: this is no list: write one like [1,2]" },
	{ "global_profiler.steps=1,2", "global_profiler.steps: this is no list: write one like [1,2]" },
	{ "global_profiler.steps=[3", "global_profiler.steps=[3: a ']' is missing: write [1,2]" },
	{ "global_profiler.steps=[1-3]", "global_profiler.steps: a list of numbers from 0 is meant: write one like [1,2]" },
	{ ACTOR ".enable='True", ACTOR ".enable='True: a quotation mark is missing: write it behind the text" },
	{ ACTOR "={enable}", ACTOR "={enable}: a ':' is missing: write {a: 1}" },
	{ ACTOR ".ranks=[0][1]", ACTOR ".ranks=[0][1]: more stands behind the value: remove it, or write a list like [1,2]" },
	{ ACTOR ".enable=maybe", ACTOR ".enable: this is neither true nor false: write True or False" },
};

START_TEST(of_a_command_the_word_is_named)
{
	const char *words[] = { bad_words[_i].word, NULL };

	ck_assert_int_eq(load_words("0.9.1", words, NULL), -EINVAL);
	ck_assert_str_eq(error, bad_words[_i].complaint);
}
END_TEST

/* ---- what is said ---- */

#define OFF "=null, or ranktrace-run --take-over, switches verl's off and this one not\n"

static const struct {
	const char *words[WORDS], *said;
} lines[] = {
	{ { ON, RANK_0 }, "actor_rollout_ref.rollout.profiler.tool_config.npu: discrete is false: the rollout runs in processes of its own, which "
			  "have files of their own\n" },
	{ { ON, RANK_0, NPU ".discrete=True" }, "" },
	{ { ON, NPU ".discrete=True" },
	  ACTOR ".ranks is not set: rank 0, as in verl's code, while its documents say none (all: all_ranks=True)\n" },
	{ { ON, ACTOR ".ranks=[]", NPU ".discrete=True" },
	  ACTOR ".ranks is empty: rank 0, as in verl's code, while its documents say none (all: all_ranks=True)\n" },
	{ { ON, RANK_0, NPU ".discrete=True", NPU ".contents=[]" }, NPU ".contents is []: no device times (with them: [npu])\n" },
	{ { ON, RANK_0, NPU ".discrete=True", NPU ".contents=[npu,module,stack]" }, "" },
	{ { ON, RANK_0, NPU ".discrete=True", NPU ".analysis=True" }, "" },
	{ { ON, RANK_0, NPU ".discrete=True", "global_profiler.tool=npu" },
	  "global_profiler.tool=npu: verl's own profiler runs in these steps, and no device times are taken meanwhile: global_profiler.tool" OFF },
	{ { ON, RANK_0, "global_profiler.global_tool_config.nsys.discrete=True", "global_profiler.tool=nsys" },
	  "actor_rollout_ref.rollout.profiler.tool_config.nsys: discrete is false: the rollout runs in processes of its own, which have files of "
	  "their own\nglobal_profiler.tool=nsys: verl starts its workers under nsys, whose work counts to the times of the program: "
	  "global_profiler.tool" OFF },
	{ { ON, RANK_0, ACTOR ".tool_config.torch.discrete=True", "global_profiler.tool=torch" },
	  "global_profiler.tool=torch: torch's profiler runs in these steps, and its work counts to the times of the program: "
	  "global_profiler.tool" OFF },
	{ { ON, RANK_0, NPU ".discrete=True", "global_profiler.tool=npu", "global_profiler.steps=null" },
	  "global_profiler.steps: no steps, so nothing is recorded (to record: global_profiler.steps=[2])\n" },
	{ { "global_profiler.tool=npu", "global_profiler.steps=[1]" }, "" },
	{ { ACTOR ".ranks=[0]", "global_profiler.steps=[1]" },
	  ACTOR ".enable is not set: it is False, as in verl, and the role is not recorded\n" },
	{ { "global_profiler.steps=[1]", "+global_profiler.step=[2]" }, "global_profiler.step is unknown and left out: did you mean steps?\n" },
	{ { "global_profiler.steps=[1]", "+" NPU ".contentz=1", ACTOR ".enable=False" },
	  NPU ".contentz is unknown and left out: did you mean contents?\n" },
	{ { "global_profiler.steps=[1]", "++critic.profiler.whatsoever=1", "critic.profiler.enable=False" },
	  "critic.profiler.whatsoever is unknown and left out\n" },
	{ { "global_profiler.steps=[1]", "global_profiler.global_tool_config.nsys.worker_nsight_options.anything=1" }, "" },
	{ { "global_profiler.steps=${oc.env:RANKTRACE_CHECK_NOT}" },
	  "global_profiler.steps: ${oc.env:RANKTRACE_CHECK_NOT} is not looked into, and left out: write its value\n"
	  "global_profiler.steps: no steps, so nothing is recorded (to record: global_profiler.steps=[2])\n" },
};

START_TEST(what_differs_is_said_once)
{
	ck_assert_msg(!load_words("0.9.1", lines[_i].words, NULL), "%s", error);
	ck_assert_str_eq(said, lines[_i].said);
}
END_TEST

START_TEST(taking_over_names_each_tool_that_is_written)
{
	static const char *const words[] = { ON, RANK_0, NPU ".discrete=True", "global_profiler.tool=npu", "critic.profiler={tool:torch,enable:False}", NULL };
	struct loader l;

	said[0] = '\0';
	installed = "0.9.1";
	command = (struct loader_command){ .words = (char *const *)words, .say = say, .version = version, .take_over = true };
	loader_begin(&l, &config, error, sizeof(error));
	l.command = &command;
	ck_assert(!load_command(&l));
	ck_assert_str_eq(command.off_words, " global_profiler.tool=null critic.profiler.tool=null");
	ck_assert_str_eq(said, "");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("verl told");

	tcase_add_loop_test(t, of_a_file_the_line_is_named, 0, COUNT(bad_files));
	tcase_add_loop_test(t, of_a_command_the_word_is_named, 0, COUNT(bad_words));
	tcase_add_loop_test(t, what_differs_is_said_once, 0, COUNT(lines));
	tcase_add_test(t, taking_over_names_each_tool_that_is_written);
	return run_cases("verl told", t);
}
