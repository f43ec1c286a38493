/* verl.c - verl's settings: its defaults, files and words laid over one another, and what they mean for the run. */
#include "config/load/verl.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "config/base/version.h"
#include "config/load/dialects.h"
#include "config/load/hydra.h"
#include "config/load/load.h"
#include "config/load/trainer_settings.h"

void verl_say(struct verl *v, enum verl_note note, const char *format, ...)
{
	char line[1400];
	va_list args;

	if (!v->l->command || (note < VERL_NOTES_EACH && v->said & 1u << note))
		return;
	v->said |= 1u << note;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	v->l->command->say(line);
}

bool verl_since(const struct verl *v, const char *version)
{
	return !*v->version || version_is_at_least(v->version, version);
}

/* ---- the tree ---- */

static const struct defaults {
	const char *from, *before, *yaml;
} defaults[] = {
#define VERL_DEFAULTS(from, before, yaml) { from, before, yaml },
#include "config/load/verl_defaults.def"
#undef VERL_DEFAULTS
};

/* By which a file is known to be verl's; NULL: it is not. */
static const struct node *verls_top(const struct node *file)
{
	const struct node *n = tree_child(file, "global_profiler", strlen("global_profiler"));

	return n ? n : tree_child(file, "actor_rollout_ref", strlen("actor_rollout_ref"));
}

/* A file speaks one language: whoever mixes them would not be told what counts. */
static int refuse_ours(struct verl *v, const struct node *file)
{
	const struct node *its = verls_top(file);

	for (const struct node *n = file->first; its && n; n = n->next)
		if (n->key && option_find(n->key) < OPTIONS)
			return tree_refuse_two(v->l, v->path, n, "ranktrace", its, "verl");
	return 0;
}

/* A document of that origin. */
static int lay(struct verl *v, const char *origin, const char *text, size_t length)
{
	struct node *n = tree_add(&v->tree, NULL, NULL, 0);
	int err;

	if (!n)
		return refuse(v->l->error, v->l->size, "%s: too many settings: write fewer", origin);
	err = tree_read(&v->tree, n, v->l, origin, text, length);
	if (!err && origin && origin == v->path)
		err = refuse_ours(v, n);
	if (!err && n->shape == SHAPE_MAP && !tree_merge(&v->tree, v->tree.root, n))
		err = refuse(v->l->error, v->l->size, "%s: too many settings: write fewer", origin);
	return err;
}

static int lay_defaults(struct verl *v)
{
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (verl_since(v, defaults[i].from) && !(defaults[i].before && verl_since(v, defaults[i].before)))
			err = lay(v, NULL, defaults[i].yaml, strlen(defaults[i].yaml));
	return err;
}

static int lay_config_file(void *verl, const char *path, const char *text, size_t length)
{
	return lay(verl, path, text, length);
}

#define OTHER_WORD 1024 /* bytes: such as lists of files */

/* Words of other trees are of interest where ours refer to them, as far as there is room. */
static bool is_worth_laying(const struct verl *v, const char *word)
{
	return strstr(word, "profiler") || (strlen(word) < OTHER_WORD && v->tree.nodes < TREE_NODES / 2);
}

/* A word that is wrong elsewhere is none of our business. */
static int lay_words(struct verl *v)
{
	char *const *word = v->l->command && !v->l->command->dialect ? v->l->command->words : NULL;
	const char *problem;

	for (; word && *word; word++) {
		problem = is_worth_laying(v, *word) ? hydra_word(&v->tree, *word) : NULL;
		if (problem && strstr(*word, "profiler"))
			return refuse(v->l->error, v->l->size, "%.256s: %s", *word, problem);
	}
	return 0;
}

int verl_lay_all(struct verl *v, const char *text, size_t length)
{
	const struct loader_command *command = v->l->command;
	int err = lay_defaults(v);

	if (!err && command && !command->dialect && command->config_file)
		err = load_file(v->l, command->config_file, false, lay_config_file, v);
	if (!err && text)
		err = lay(v, v->path, text, length);
	return err ? err : lay_words(v);
}

/* ---- what it means ---- */

static bool is_written(const struct verl *v, const char *path)
{
	return tree_is_written(tree_find(&v->tree, path, strlen(path)));
}

static int set_steps(struct verl *v)
{
	const char *base = is_written(v, "global_profiler.steps") ? "global_profiler" : "trainer";
	const char *key = *base == 'g' ? "steps" : "profile_steps";
	char text[4096], where[WHERE_SIZE];
	const struct node *n;
	int err;

	n = tree_find(&v->tree, base, strlen(base));
	n = n ? tree_child(n, key, strlen(key)) : NULL;
	if (!tree_is_written(n))
		return 0;
	err = verl_numbers(v, base, key, text, sizeof(text));
	if (err)
		return err;
	if (!*text)
		verl_say(v, VERL_NOTES_EACH, "%s.%s: no steps, so nothing is recorded (to record: %s.%s=[2])", base, key, base, key);
	tree_where(n, where, sizeof(where));
	return loader_set(v->l, OPTION_steps, where, text);
}

/* Neighbours share a result only if that is asked for. */
static int set_file_per_step(struct verl *v)
{
	static const char key[] = "global_profiler.profile_continuous_steps";
	bool share = false;
	int err = verl_bool(v, "", key, &share);

	if (err || !bits_has(v->l->given, OPTION_steps))
		return err;
	return loader_set(v->l, OPTION_file_per_step, key, share ? "false" : "true");
}

static int set_save_path(struct verl *v)
{
	const struct node *n = verl_find(v, "global_profiler", "save_path");
	char where[WHERE_SIZE];

	if (!n || !n->origin || n->shape != SHAPE_SCALAR)
		return 0;
	tree_where(n, where, sizeof(where));
	return loader_set(v->l, OPTION_save_path, where, n->text);
}

/* Who speaks verl's words wants its steps and stages. */
static int set_preset(struct verl *v)
{
	return *v->l->c->preset ? 0 : loader_set(v->l, OPTION_preset, "preset", "verl");
}

/* ---- two profilers ---- */

static const struct {
	const char *tool, *means;
} tools[] = {
	{ "npu", "verl's own profiler runs in these steps, and no device times are taken meanwhile" },
	{ "nsys", "verl starts its workers under nsys, whose work counts to the times of the program" },
	{ "torch", "torch's profiler runs in these steps, and its work counts to the times of the program" },
	{ "torch_memory", "verl saves snapshots of torch's memory; what is recorded here stays the same" },
	{ "precision_debugger", "verl dumps tensors in these steps, and that work counts to the times of the program" },
};

static void say_tool(struct verl *v, const char *path, const char *tool)
{
	const char *means = "verl knows no such tool";

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		if (!strcmp(tools[i].tool, tool))
			means = tools[i].means;
	verl_say(v, VERL_TOOL, "%s=%.32s: %s: %s=null, or ranktrace-run --take-over, switches verl's off and this one not", path, tool,
		 means, path);
}

/* A role's tool is the global one where nothing is written; where it is written, it is switched off there. */
static void look_at_tool(struct verl *v, const char *path)
{
	const struct node *n = tree_find(&v->tree, path, strlen(path));
	struct loader_command *command = v->l->command;
	size_t used = strlen(command->off_words);

	if (!tree_is_written(n) || n->shape != SHAPE_SCALAR || strstr(n->text, "${"))
		return;
	if (!strstr(command->off_words, path))
		snprintf(command->off_words + used, sizeof(command->off_words) - used, " %s=null", path);
	if (!command->take_over && v->enabled)
		say_tool(v, path, n->text);
}

static void look_at_tools(struct verl *v)
{
	static const char *const paths[] = {
		"global_profiler.tool",
#define VERL_ROLE(name, tree, update) tree ".profiler.tool",
#include "config/load/verl_roles.def"
#undef VERL_ROLE
	};

	if (!v->l->command || (v->l->c->steps.given && !v->l->c->steps.count && !v->l->c->steps.all))
		return;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		look_at_tool(v, paths[i]);
}

/* ---- a file, and a command ---- */

static int set_all(struct verl *v)
{
	int err;

	verl_keys_tell(v);
	err = set_steps(v);
	err = err ? err : set_file_per_step(v);
	err = err ? err : set_save_path(v);
	err = err ? err : verl_set_roles(v);
	if (err || !(bits_has(v->l->given, OPTION_steps) || bits_has(v->l->given, OPTION_roles)))
		return err;
	look_at_tools(v);
	return set_preset(v);
}

int verl_begin(struct verl *v, struct loader *l, const char *path)
{
	const char *version = l->command ? l->command->version("verl") : NULL;

	if (l->command && !version)
		l->command->untold = "verl";
	*v = (struct verl){ .l = l, .path = path, .version = version ? version : "" };
	if (tree_begin(&v->tree))
		return 0;
	tree_end(&v->tree);
	return refuse(l->error, l->size, "no memory to read verl's settings");
}

static int read_all(struct loader *l, const char *path, const char *text, size_t length)
{
	struct verl v;
	int err = verl_begin(&v, l, path);

	if (err)
		return err;
	err = verl_lay_all(&v, text, length);
	err = err ? err : set_all(&v);
	tree_end(&v.tree);
	return err;
}

/* Is it a file of verl's? One that cannot be read is if it was so far. */
static bool is_verl(struct loader *l, const char *path, const char *text, size_t length)
{
	struct tree t;
	bool is = false;

	if (tree_begin(&t)) {
		tree_read(&t, t.root, l, path, text, length);
		is = verls_top(t.root);
	}
	tree_end(&t);
	l->error[0] = '\0';
	return is;
}

static bool has_words(const struct loader *l)
{
	return l->command && l->command->words;
}

/* What was typed for us counts all the same. */
static void leave_words_out(struct loader *l)
{
	struct loader_command *command = l->command;
	char line[1400];

	snprintf(line, sizeof(line), "%.1300s: what the command's words say is left out", l->error);
	command->say(line);
	loader_begin(l, l->c, l->error, l->size);
	l->command = command;
}

/* A file of other words says more of the run than the command's words: it comes behind them. */
int verl_read(struct loader *l, const char *path, const char *text, size_t length)
{
	if (is_verl(l, path, text, length))
		return read_all(l, path, text, length);
	if (load_command(l))
		leave_words_out(l);
	loader_layer(l);
	return DIALECT_OTHER;
}

int load_command(struct loader *l)
{
	loader_layer(l);
	if (l->command && *l->command->problem)
		return refuse(l->error, l->size, "%s", l->command->problem);
	if (!has_words(l))
		return 0;
	return l->command->dialect ? trainer_settings_words(l) : read_all(l, NULL, NULL, 0);
}
