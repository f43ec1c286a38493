/* check_verl.c - what verl's settings come to here, as words of a command and as files. */
#include "tests/lib/verl_words.h"

static const char *roles_text(void)
{
	static char text[4096];

	role_choices_text(&config.roles, text, sizeof(text));
	return text;
}

/* Of the whole text, what is said of one role. */
static const char *role(const char *name)
{
	static char text[4096];
	char *begin, *end;

	snprintf(text, sizeof(text), "%s", roles_text());
	begin = strstr(text, name);
	ck_assert_msg(begin, "no %s in %s", name, text);
	end = strchr(begin, '}');
	ck_assert(end);
	end[1] = '\0';
	return begin;
}

/* ---- each cell of what verl means: version, words, role, what it comes to ---- */

static const struct {
	const char *version, *words[WORDS], *role, *text;
} cells[] = {
	/* ranks: the empty list, and null, are rank 0; all_ranks goes before */
	{ "0.9.1", { ON }, "actor", "actor{enable=true,ranks=0,level=level0,discrete=false}" },
	{ "0.9.1", { ON, ACTOR ".ranks=[]" }, "actor", "actor{enable=true,ranks=0,level=level0,discrete=false}" },
	{ "0.9.1", { ON, ACTOR ".ranks=null" }, "actor", "actor{enable=true,ranks=0,level=level0,discrete=false}" },
	{ "0.9.1", { ON, ACTOR ".ranks=[0,8]" }, "actor", "actor{enable=true,ranks=0 8,level=level0,discrete=false}" },
	{ "0.9.1", { ON, ACTOR ".ranks=[3]", ACTOR ".all_ranks=True" }, "actor", "actor{enable=true,all_ranks=true,level=level0,discrete=false}" },
	{ "0.9.1", { ACTOR ".enable=False", ACTOR ".ranks=[3]" }, "actor", "actor{enable=false}" },

	/* level: the version's own, or what is written */
	{ "0.6.1", { ON, RANK_0 }, "actor", "actor{enable=true,ranks=0,level=level1,discrete=false}" },
	{ "0.7.1", { ON, RANK_0 }, "actor", "actor{enable=true,ranks=0,level=level0,discrete=false}" },
	{ "0.7.1", { ON, RANK_0, NPU ".level=level2" }, "actor", "actor{enable=true,ranks=0,level=level2,discrete=false}" },
	{ "0.7.1", { ON, RANK_0, NPU ".level=level_none" }, "actor", "actor{enable=true,ranks=0,level=level_none,discrete=false}" },
	{ "0.6.1", { ON, RANK_0 }, "rollout", "rollout{enable=true,ranks=0,level=level1,discrete=false}" },

	/* contents: [] is no device activity, null is everything, unset is as here */
	{ "0.9.1", { ON, RANK_0, NPU ".contents=[]" }, "actor", "actor{enable=true,ranks=0,level=level0,contents=cpu,discrete=false}" },
	{ "0.9.1",
	  { ON, RANK_0, NPU ".contents=null" },
	  "actor",
	  "actor{enable=true,ranks=0,level=level0,contents=cpu device memory shapes module stack,discrete=false}" },
	{ "0.9.1",
	  { ON, RANK_0, NPU ".contents=['npu','cpu']" },
	  "actor",
	  "actor{enable=true,ranks=0,level=level0,contents=cpu device,discrete=false}" },
	{ "0.9.1",
	  { ON, RANK_0, NPU ".contents=[npu,memory,shapes,module,stack]" },
	  "actor",
	  "actor{enable=true,ranks=0,level=level0,contents=cpu device memory shapes module stack,discrete=false}" },
	{ "0.9.1", { ON, RANK_0, NPU ".discrete=True" }, "actor", "actor{enable=true,ranks=0,level=level0,discrete=true}" },

	/* the other tools have trees of their own */
	{ "0.9.1",
	  { ON, RANK_0, "global_profiler.tool=torch", ACTOR ".tool_config.torch.contents=[cuda,shapes]", ACTOR ".tool_config.torch.discrete=True" },
	  "actor",
	  "actor{enable=true,ranks=0,contents=cpu device shapes,discrete=true}" },
	{ "0.9.1",
	  { ON, RANK_0, "global_profiler.tool=torch", ACTOR ".tool_config.torch.contents=[]" },
	  "actor",
	  "actor{enable=true,ranks=0,contents=cpu device,discrete=false}" },
	/* to torch's a stack is Python's */
	{ "0.9.1",
	  { ON, RANK_0, "global_profiler.tool=torch", ACTOR ".tool_config.torch.contents=[cuda,stack]" },
	  "actor",
	  "actor{enable=true,ranks=0,contents=cpu device module,discrete=false}" },
	{ "0.9.1",
	  { ON, RANK_0, "global_profiler.tool=torch", ACTOR ".tool_config.torch.contents=null" },
	  "actor",
	  "actor{enable=true,ranks=0,contents=cpu device memory shapes module,discrete=false}" },
	{ "0.9.1",
	  { ON, RANK_0, ACTOR ".tool_config.torch.contents=[cuda]" },
	  "actor",
	  "actor{enable=true,ranks=0,contents=cpu device,discrete=false}" },
	{ "0.7.1",
	  { ON, RANK_0, "global_profiler.tool=nsys", "global_profiler.global_tool_config.nsys.discrete=True" },
	  "actor",
	  "actor{enable=true,ranks=0,discrete=true}" },
	{ "0.9.1",
	  { ON, RANK_0, "global_profiler.tool=torch", ACTOR ".tool_config.torch.schedule={wait:1,warmup:1,active:2}" },
	  "actor_update",
	  "actor_update{enable=true,ranks=0,discrete=false,schedule=counter=mini wait=1 warmup=1 active=2}" },
	{ "0.9.1",
	  { ON, RANK_0, "global_profiler.tool=torch", ACTOR ".tool_config.torch.schedule={wait:1,warmup:1,active:2}" },
	  "actor",
	  "actor{enable=true,ranks=0,discrete=false}" },

	/* who does not speak for itself: rollout and ref do as the actor, the critic nothing */
	{ "0.9.1", { ON, NPU ".discrete=True", NPU ".level=level1" }, "rollout", "rollout{enable=true,replica_ranks=0,level=level1,discrete=true}" },
	{ "0.9.1", { ON, NPU ".discrete=True", NPU ".level=level1" }, "ref", "ref{enable=true,ranks=0,level=level1,discrete=true}" },
	{ "0.9.1", { ON }, "critic", "critic{enable=false}" },
	{ "0.9.1", { ON, "actor_rollout_ref.ref.profiler.enable=False" }, "ref", "ref{enable=false}" },
	{ "0.9.1",
	  { ON, "actor_rollout_ref.rollout.profiler.tool_config.npu.discrete=True" },
	  "rollout",
	  "rollout{enable=true,replica_ranks=0,level=level0,discrete=true}" },
	{ "0.6.1", { ON, "reward_model.profiler.enable=True" }, "reward", "reward{enable=true,ranks=0,level=level1,discrete=false}" },

	/* a rollout's ranks: of processes, of replicas, from 0.9.1 on of devices */
	{ "0.6.1", { ON, ACTOR ".ranks=[0,8]" }, "rollout", "rollout{enable=true,ranks=0 8,level=level1,discrete=false}" },
	{ "0.9.0", { ON, ACTOR ".ranks=[0,8]" }, "rollout", "rollout{enable=true,replica_ranks=0 8,level=level0,discrete=false}" },
	{ "0.9.1",
	  { ON, ACTOR ".ranks=[0,1,8]", "actor_rollout_ref.rollout.tensor_model_parallel_size=4" },
	  "rollout",
	  "rollout{enable=true,replica_ranks=0 2,level=level0,discrete=false}" },

	{ "0.9.1", { ON, RANK_0, NPU ".analysis=True" }, "actor", "actor{enable=true,ranks=0,level=level0,discrete=false,analysis=true}" },

	/* tokens are decode steps */
	{ "0.9.1",
	  { ON, RANK_0, "actor_rollout_ref.rollout.profiler.tool_config.npu={profile_token_start:30,profile_token_end:60}" },
	  "rollout",
	  "rollout{enable=true,replica_ranks=0,level=level0,discrete=false,schedule=counter=micro skip_first=30 active=30 repeat=1}" },
	{ "0.9.1",
	  { ON, RANK_0, "actor_rollout_ref.rollout.profiler.tool_config.npu.profile_token_end=5" },
	  "rollout",
	  "rollout{enable=true,replica_ranks=0,level=level0,discrete=false,schedule=counter=micro active=5 repeat=1}" },
	{ "0.9.1",
	  { ON, RANK_0, "actor_rollout_ref.rollout.profiler.tool_config.npu.profile_token_start=30" },
	  "rollout",
	  "rollout{enable=true,replica_ranks=0,level=level0,discrete=false,schedule=counter=micro skip_first=30 active=1000000000 repeat=1}" },
};

START_TEST(words_of_a_command_become_settings_of_roles)
{
	ck_assert_msg(!load_words(cells[_i].version, cells[_i].words, NULL), "%s", error);
	ck_assert_str_eq(role(cells[_i].role), cells[_i].text);
}
END_TEST

/* ---- steps ---- */

static const struct {
	const char *word, *steps;
	bool given;
} step_words[] = {
	{ "global_profiler.steps=[2,4]", "2,4", true },
	{ "+global_profiler.steps=[1, 2, 5]", "1,2,5", true },
	{ "++global_profiler.steps=[3]", "3", true },
	{ "global_profiler={steps: [7]}", "7", true },
	{ "global_profiler.steps=null", "", true },
	{ "global_profiler.steps=NULL", "", true },
	{ "global_profiler.steps=[]", "", true },
	{ "~global_profiler.steps", "", false },
	{ "global_profiler.save_path=/tmp/prof", "", false },
	{ "global_profiler.steps=${trainer.mine}", "", true },
	{ "+trainer.profile_steps=[4]", "4", true },
};

START_TEST(steps_are_a_set_and_null_is_none)
{
	const char *words[] = { step_words[_i].word, NULL };

	ck_assert_msg(!load_words("0.9.1", words, NULL), "%s", error);
	ck_assert_str_eq(steps_text(), step_words[_i].steps);
	ck_assert_int_eq(config.steps.given, step_words[_i].given);
	ck_assert_str_eq(roles_text(), "");
	ck_assert_str_eq(config.preset, step_words[_i].given ? "verl" : "");
}
END_TEST

START_TEST(words_of_other_things_set_nothing)
{
	static const char *const words[] = { "data.train_files=x.parquet", "actor_rollout_ref.actor.optim.lr=1e-6", "model_engine=megatron",
					     "critic=megatron_critic", "actor@actor_rollout_ref.actor=megatron_actor", NULL };

	ck_assert_msg(!load_words("0.9.1", words, NULL), "%s", error);
	ck_assert(!config.steps.given);
	ck_assert_str_eq(roles_text(), "");
	ck_assert_str_eq(config.preset, "");
	ck_assert_str_eq(said, "");
}
END_TEST

START_TEST(a_folder_for_the_results_is_ours_too)
{
	static const char *const words[] = { "global_profiler.save_path=/tmp/prof", NULL };

	ck_assert(!load_words("0.9.1", words, NULL));
	ck_assert_str_eq(config.save_path, "/tmp/prof");
}
END_TEST

/* ---- files ---- */

static const char file[] = "global_profiler: {tool: npu, steps: [2, 5], save_path: ./prof, profile_continuous_steps: false}\n"
			   "actor_rollout_ref:\n"
			   "  actor:\n"
			   "    profiler:\n"
			   "      enable: true\n"
			   "      all_ranks: false\n"
			   "      ranks: [0, 8]\n"
			   "      tool_config:\n"
			   "        npu: {discrete: true, level: level1, contents: [npu, cpu, module], analysis: false}\n"
			   "  rollout:\n"
			   "    profiler: {enable: true, ranks: [0], tool_config: {npu: {discrete: true}}}\n"
			   "  ref:\n"
			   "    profiler: {enable: false}\n"
			   "critic: {profiler: {enable: false}}\n";

START_TEST(a_file_says_the_same_as_words)
{
	static const char *const words[] = { "global_profiler.steps=[9]", NULL };
	static const char roles[] = "actor{enable=true,ranks=0 8,level=level1,contents=cpu device module,discrete=true};"
				    "rollout{enable=true,replica_ranks=0,level=level1,contents=cpu device module,discrete=true};"
				    "ref{enable=false};critic{enable=false}";

	ck_assert_msg(!load_text(file), "%s", error);
	ck_assert_str_eq(steps_text(), "2,5");
	ck_assert_str_eq(roles_text(), roles);
	ck_assert_msg(!load_words("0.9.1", words, file), "%s", error);
	ck_assert_str_eq(steps_text(), "9");
	ck_assert_str_eq(roles_text(), roles);
}
END_TEST

START_TEST(a_file_of_settings_of_ours_goes_before_the_commands_words)
{
	static const char *const words[] = { "global_profiler.steps=[9]", ON, NULL };

	ck_assert_msg(!load_words("0.9.1", words, "step_start: 3\nlevel: level2\n"), "%s", error);
	ck_assert_str_eq(steps_text(), "3-");
	ck_assert_int_eq(config.level, LEVEL_2);
	ck_assert_str_eq(role("critic"), "critic{enable=false}");
}
END_TEST

START_TEST(a_file_with_defaults_of_which_nothing_is_seen_begins_with_verls)
{
	ck_assert_msg(!load_text("defaults:\n  - ppo_trainer\n  - _self_\nactor_rollout_ref: {actor: {profiler: {enable: True}}}\n"), "%s", error);
	ck_assert_str_eq(role("rollout"), "rollout{enable=true,replica_ranks=0,level=level0,discrete=false}");
}
END_TEST

START_TEST(without_the_launcher_a_file_is_read_alike)
{
	ck_assert_msg(!load_text("global_profiler: {steps: null}\n"), "%s", error);
	ck_assert(config.steps.given);
	ck_assert_str_eq(steps_text(), "");
	ck_assert_msg(!load_text("actor_rollout_ref: {model: {path: x}}\n"), "%s", error);
	ck_assert(!config.steps.given);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("verl");

	tcase_add_loop_test(t, words_of_a_command_become_settings_of_roles, 0, COUNT(cells));
	tcase_add_loop_test(t, steps_are_a_set_and_null_is_none, 0, COUNT(step_words));
	tcase_add_test(t, words_of_other_things_set_nothing);
	tcase_add_test(t, a_folder_for_the_results_is_ours_too);
	tcase_add_test(t, a_file_says_the_same_as_words);
	tcase_add_test(t, a_file_of_settings_of_ours_goes_before_the_commands_words);
	tcase_add_test(t, a_file_with_defaults_of_which_nothing_is_seen_begins_with_verls);
	tcase_add_test(t, without_the_launcher_a_file_is_read_alike);
	return run_cases("verl", t);
}
