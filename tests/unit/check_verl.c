/* check_verl.c - verl's settings, as files and as words of a command: what they come to here, and what is said of the rest. */
#include "config/load/interpolation.h"
#include "config/load/hydra.h"
#include "tests/lib/config_helpers.h"

#define ACTOR  "actor_rollout_ref.actor.profiler"
#define NPU    ACTOR ".tool_config.npu"
#define ON     ACTOR ".enable=True"
#define RANK_0 ACTOR ".ranks=[0]"
#define WORDS  6

/* ---- a command, and what was said of it ---- */

static char said[4096];
static const char *installed;

static void say(const char *line)
{
	snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s\n", line);
}

static const char *version(const char *package)
{
	ck_assert_str_eq(package, "verl");
	return installed;
}

static struct loader_command command;

/* The words of verl of that version, and a file of settings, as ranktrace-run reads them. */
static int load_words(const char *of, const char *const *words, const char *yaml)
{
	struct loader l;
	int err;

	said[0] = '\0';
	installed = of;
	command = (struct loader_command){ .words = (char *const *)words, .say = say, .version = version };
	loader_begin(&l, &config, error, sizeof(error));
	l.command = &command;
	if (yaml) {
		write_file(yaml, strlen(yaml));
		err = load_yaml(&l, FILE_NAME, false);
	} else {
		err = load_command(&l);
	}
	return err ? err : loader_finish(&l);
}

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
	  "actor{enable=true,ranks=0,level=level0,contents=cpu device memory shapes,discrete=false}" },
	{ "0.9.1",
	  { ON, RANK_0, NPU ".contents=['npu','cpu']" },
	  "actor",
	  "actor{enable=true,ranks=0,level=level0,contents=cpu device,discrete=false}" },
	{ "0.9.1",
	  { ON, RANK_0, NPU ".contents=[npu,memory,shapes,module,stack]" },
	  "actor",
	  "actor{enable=true,ranks=0,level=level0,contents=cpu device memory shapes,discrete=false}" },
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
	static const char roles[] = "actor{enable=true,ranks=0 8,level=level1,contents=cpu device,discrete=true};"
				    "rollout{enable=true,replica_ranks=0,level=level1,contents=cpu device,discrete=true};"
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
	  ":3: actor_rollout_ref.actor.profiler.tool_config.npu.contents: not all of this can be recorded: write npu, cpu, memory or shapes" },
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
	{ { ON, RANK_0, NPU ".discrete=True", NPU ".contents=[npu,stack]" }, NPU ".contents: module and stack are left out: they are not recorded\n" },
	{ { ON, RANK_0, NPU ".discrete=True", NPU ".analysis=True" },
	  NPU ".analysis is left out: ranktrace report and ranktrace export read the traces at any time\n" },
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
	{ { "global_profiler.steps=${oc.env:STEPS}" },
	  "global_profiler.steps: ${oc.env:STEPS} is not looked into, and left out: write its value\n"
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

/* ---- interpolations ---- */

static const struct {
	const char *value, *text; /* NULL: none */
} meant[] = {
	{ "plain", "plain" },
	{ "${top.a}", "1" },
	{ "${.b}", "2" },
	{ "${..a}", "1" },
	{ "${oc.select:top.a,9}", "1" },
	{ "${oc.select:top.none,9}", "9" },
	{ "${oc.select:top.none}", "" },
	{ "${oc.select:top.none,${oc.select:top.nor_this,null}}", "" },
	{ "${oc.select:top.none,${oc.select:top.a,null}}", "1" },
	{ "${oc.select:top.none,${.b}}", "2" },
	{ "${oc.select:top.none,'a,b'}", "a,b" },
	{ "${top.inner.b}", "2" },
	{ "${top.to_inner.b}", "2" },
	{ "${top.none}", NULL },
	{ "${oc.env:HOME}", NULL },
	{ "${top.a}/x", NULL },
	{ "${top.inner.x}", NULL }, /* itself */
	{ "???", NULL },
};

START_TEST(interpolations_are_followed)
{
	static const char yaml[] = "top:\n  a: 1\n  to_inner: ${top.inner}\n  inner:\n    b: 2\n    x: placeholder\n";
	const struct node *n;
	struct node *x;
	struct loader l;
	struct tree t;

	ck_assert(tree_begin(&t));
	loader_begin(&l, &config, error, sizeof(error));
	ck_assert(!tree_read(&t, t.root, &l, "f", yaml, strlen(yaml)));
	x = tree_find(&t, "top.inner.x", strlen("top.inner.x"));
	x->text = meant[_i].value;
	n = interpolate_path(&t, "top.inner.x");
	ck_assert_int_eq(n != NULL, meant[_i].text != NULL);
	if (n)
		ck_assert_str_eq(n->shape == SHAPE_NULL ? "" : n->text, meant[_i].text);
	tree_end(&t);
}
END_TEST

/* ---- values as Hydra's grammar has them ---- */

static const struct {
	const char *text;
	enum shape shape;
	int items;
} values[] = {
	{ "", SHAPE_SCALAR, 0 },
	{ "null", SHAPE_NULL, 0 },
	{ "Null", SHAPE_NULL, 0 },
	{ "'null'", SHAPE_SCALAR, 0 },
	{ "[]", SHAPE_LIST, 0 },
	{ "[1]", SHAPE_LIST, 1 },
	{ " [ 1 , 2 ] ", SHAPE_LIST, 2 },
	{ "[[1,2],[3]]", SHAPE_LIST, 2 },
	{ "['a,b',\"c]\"]", SHAPE_LIST, 2 },
	{ "[${a.b},${oc.select:x,y}]", SHAPE_LIST, 2 },
	{ "{}", SHAPE_MAP, 0 },
	{ "{a:1,b:[2,3]}", SHAPE_MAP, 2 },
	{ "{a: {b: null}}", SHAPE_MAP, 1 },
};

START_TEST(values_have_the_shape_that_they_have_to_hydra)
{
	struct node *n;
	struct tree t;
	int items = 0;

	ck_assert(tree_begin(&t));
	n = tree_add(&t, NULL, NULL, 0);
	ck_assert_ptr_eq(hydra_value(&t, n, values[_i].text), NULL);
	ck_assert_int_eq(n->shape, values[_i].shape);
	for (const struct node *item = n->first; item; item = item->next)
		items++;
	ck_assert_int_eq(items, values[_i].items);
	tree_end(&t);
}
END_TEST

START_TEST(nesting_has_an_end)
{
	char text[128] = "global_profiler.steps=";
	const char *words[] = { text, NULL };

	memset(text + strlen(text), '[', 60);
	ck_assert_int_eq(load_words("0.9.1", words, NULL), -EINVAL);
	ck_assert_str_eq(error + strlen(text), ": nested deeper than 16 levels: use fewer");
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
	tcase_add_loop_test(t, of_a_file_the_line_is_named, 0, COUNT(bad_files));
	tcase_add_loop_test(t, of_a_command_the_word_is_named, 0, COUNT(bad_words));
	tcase_add_loop_test(t, what_differs_is_said_once, 0, COUNT(lines));
	tcase_add_test(t, taking_over_names_each_tool_that_is_written);
	tcase_add_loop_test(t, interpolations_are_followed, 0, COUNT(meant));
	tcase_add_loop_test(t, values_have_the_shape_that_they_have_to_hydra, 0, COUNT(values));
	tcase_add_test(t, nesting_has_an_end);
	return run_cases("verl", t);
}
