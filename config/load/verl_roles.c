/* verl_roles.c - the tree of each role's profiler becomes the option roles. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "config/load/verl.h"

#define LIST_TEXT  1024
#define TO_THE_END 1000000000 /* of a rollout's tokens */

static const struct verl_role {
	const char *name, *tree, *update;
} roles[] = {
#define VERL_ROLE(name, tree, update) { name, tree, update },
#include "config/load/verl_roles.def"
#undef VERL_ROLE
};
#define ROLES (sizeof(roles) / sizeof(roles[0]))

/* A role's settings, as they are written down. */
struct choice {
	const struct verl_role *role;
	char base[64]; /* actor_rollout_ref.actor.profiler */
	char tool[96]; /* and in it, tool_config.npu */
	char text[16 * LIST_TEXT];
	size_t used;
};

__attribute__((format(printf, 2, 3))) static void put(struct choice *c, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(c->text + c->used, sizeof(c->text) - c->used, format, args);
	va_end(args);
	c->used += (size_t)n < sizeof(c->text) - c->used ? (size_t)n : sizeof(c->text) - c->used - 1;
}

static bool is_written(const struct verl *v, const char *base, const char *key)
{
	char path[256];

	snprintf(path, sizeof(path), "%s%s%s", base, *key ? "." : "", key);
	return tree_is_written(tree_find(&v->tree, path, strlen(path)));
}

/* ---- which tool's settings count ---- */

/* With verl's own profiler off, those that somebody wrote; npu's if there are none. */
static const char *tool_of(struct verl *v, const char *base)
{
	static const char *const known[] = { "npu", "torch", "nsys" };
	const struct node *n = verl_find(v, base, "tool");
	const char *word = n && n->shape == SHAPE_SCALAR ? n->text : NULL;
	char key[64];

	if (word)
		return word;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		snprintf(key, sizeof(key), "tool_config.%s", known[i]);
		if (is_written(v, base, key))
			return known[i];
	}
	return known[0];
}

/* ---- ranks ---- */

/* An engine of vLLM or SGLang, in processes of its own. */
static bool is_agent_loop(struct verl *v, const struct choice *c)
{
	const struct node *mode = verl_find(v, "actor_rollout_ref.rollout", "mode");

	return !strcmp(c->role->name, "rollout") && !(mode && mode->shape == SHAPE_SCALAR && !strcmp(mode->text, "sync"));
}

/* From 0.9.1 on a rollout's ranks are those of the devices; a replica has several. */
static int64_t ranks_of_a_replica(struct verl *v)
{
	static const char *const sizes[] = { "tensor_model_parallel_size", "data_parallel_size", "pipeline_model_parallel_size" };
	int64_t product = 1, size;

	for (size_t i = 0; verl_since(v, "0.9.1") && i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size = 1;
		if (verl_number(v, "actor_rollout_ref.rollout", sizes[i], &size) || size < 1 || size > 1 << 20)
			return 1;
		product *= size;
	}
	return product;
}

static void put_replicas(struct verl *v, struct choice *c, const char *ranks)
{
	int64_t size = ranks_of_a_replica(v), replica, last = -1;

	put(c, ",replica_ranks=");
	while (*ranks) {
		replica = strtoll(ranks, (char **)&ranks, 10) / size;
		if (replica != last)
			put(c, "%s%lld", last < 0 ? "" : " ", (long long)replica);
		last = replica;
	}
}

static int put_ranks(struct verl *v, struct choice *c)
{
	char ranks[LIST_TEXT];
	bool all = false;
	int err = verl_bool(v, c->base, "all_ranks", &all);

	err = err ? err : verl_numbers(v, c->base, "ranks", ranks, sizeof(ranks));
	if (err)
		return err;
	if (all) {
		put(c, ",all_ranks=true");
		return 0;
	}
	if (!*ranks) {
		verl_say(v, VERL_EMPTY_RANKS, "%s.ranks is %s: rank 0, as in verl's code, while its documents say none (all: all_ranks=True)", c->base,
			 is_written(v, c->base, "ranks") ? "empty" : "not set");
		snprintf(ranks, sizeof(ranks), "0");
	}
	if (is_agent_loop(v, c))
		put_replicas(v, c, ranks);
	else
		put(c, ",ranks=%s", ranks);
	return 0;
}

/* ---- what is recorded ---- */

static int put_level(struct verl *v, struct choice *c)
{
	const struct node *n = verl_find(v, c->tool, "level");
	char why[256];
	int level;

	if (!n || n->shape == SHAPE_NULL)
		return 0;
	if (n->shape != SHAPE_SCALAR || type_LEVEL.set(NULL, &level, n->text, why, sizeof(why)))
		return verl_refuse(v, c->tool, "level", n, n->shape == SHAPE_SCALAR ? why : "this is no level: write level0");
	put(c, ",level=%s", n->text);
	return 0;
}

/* What a word is called here; NULL: nothing. */
static const char *content_of(const struct node *n, bool torch)
{
	static const struct {
		const char *word, *ours, *torch;
	} words[] = {
#define VERL_CONTENT(word, ours, torch) { word, ours, torch },
#include "config/load/verl_contents.def"
#undef VERL_CONTENT
	};

	for (size_t i = 0; n->shape == SHAPE_SCALAR && i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].word, n->text))
			return torch ? words[i].torch : words[i].ours;
	return NULL;
}

/* The empty list is no device activity to npu, both activities to torch. */
static void put_no_contents(struct verl *v, struct choice *c, bool torch)
{
	put(c, ",contents=cpu%s", torch ? " device" : "");
	if (!torch)
		verl_say(v, VERL_NO_DEVICE, "%s.contents is []: no device times (with them: [npu])", c->tool);
}

static int put_words(struct verl *v, struct choice *c, const struct node *list, bool torch)
{
	const char *ours;

	put(c, ",contents=cpu");
	for (const struct node *n = list->first; n; n = n->next) {
		ours = content_of(n, torch);
		if (!ours)
			return verl_refuse(v, c->tool, "contents", list, "not all of this can be recorded: write npu, cpu, memory, shapes, module or stack");
		if (strcmp(ours, "cpu"))
			put(c, " %s", ours);
	}
	return 0;
}

/* A default says nothing of what the user wants. */
static int put_contents(struct verl *v, struct choice *c, bool torch)
{
	const struct node *n = verl_find(v, c->tool, "contents");

	if (!n || !n->origin)
		return 0;
	if (n->shape == SHAPE_NULL) {
		put(c, ",contents=cpu device memory shapes module%s", torch ? "" : " stack");
		return 0;
	}
	if (n->shape != SHAPE_LIST)
		return verl_refuse(v, c->tool, "contents", n, "this is no list: write one like [npu,cpu]");
	if (n->first)
		return put_words(v, c, n, torch);
	put_no_contents(v, c, torch);
	return 0;
}

/* ---- how ---- */

static int put_discrete(struct verl *v, struct choice *c)
{
	bool discrete = false;
	int err = verl_bool(v, c->tool, "discrete", &discrete);

	if (err)
		return err;
	put(c, ",discrete=%s", discrete ? "true" : "false");
	if (!discrete && is_agent_loop(v, c))
		verl_say(v, VERL_OWN_PROCESSES,
			 "%s: discrete is false: the rollout runs in processes of its own, which have files of their own", c->tool);
	return 0;
}

/* Only the rollout has tokens. */
static int put_tokens(struct verl *v, struct choice *c)
{
	int64_t start = 0, end = -1;
	int err;

	if (strcmp(c->role->name, "rollout"))
		return 0;
	err = verl_number(v, c->tool, "profile_token_start", &start);
	err = err ? err : verl_number(v, c->tool, "profile_token_end", &end);
	if (err || (!start && end < 0))
		return err;
	if (end >= 0 && end <= start)
		return verl_refuse(v, c->tool, "profile_token_end", verl_find(v, c->tool, "profile_token_end"),
				   "this is not after profile_token_start: write a greater number, or null");
	put(c, ",schedule=counter=micro skip_first=%lld active=%lld repeat=1", (long long)start,
	    (long long)(end < 0 ? TO_THE_END : end - start));
	return 0;
}

static int put_analysis(struct verl *v, struct choice *c)
{
	bool analysis = false;
	int err = is_written(v, c->tool, "analysis") ? verl_bool(v, c->tool, "analysis", &analysis) : 0;

	if (!err && analysis)
		put(c, ",analysis=true");
	return err;
}

static void tell_of_rest(struct verl *v, const struct choice *c)
{
	if (is_written(v, c->tool, "step_start") || is_written(v, c->tool, "step_end"))
		verl_say(v, VERL_TORCH_STEPS, "%s: step_start and step_end are left out: write --schedule counter=mini,...", c->tool);
}

/* torch's schedule counts mini-batches of the update; the other stages are recorded whole. */
static int put_update(struct verl *v, struct choice *c, const char *begin)
{
	static const char *const keys[] = { "skip_first", "wait", "warmup", "repeat" };
	char base[128], said[2 * LIST_TEXT];
	int64_t active = 0, n;

	snprintf(base, sizeof(base), "%s.schedule", c->tool);
	if (verl_number(v, base, "active", &active))
		return -EINVAL;
	if (!active || !c->role->update)
		return 0;
	snprintf(said, sizeof(said), "%s", begin + strlen(c->role->name));
	put(c, "};%s%s,schedule=counter=mini active=%lld", c->role->update, said, (long long)active);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		n = 0;
		if (verl_number(v, base, keys[i], &n))
			return -EINVAL;
		if (n)
			put(c, " %s=%lld", keys[i], (long long)n);
	}
	return 0;
}

static int put_enabled(struct verl *v, struct choice *c, const char *begin)
{
	const char *tool = tool_of(v, c->base);
	bool torch = !strcmp(tool, "torch");
	int err;

	snprintf(c->tool, sizeof(c->tool), "%s.tool_config.%.24s", c->base, tool);
	put(c, "%s{enable=true", c->role->name);
	err = put_ranks(v, c);
	err = err ? err : put_level(v, c);
	err = err ? err : put_contents(v, c, torch);
	err = err ? err : put_discrete(v, c);
	err = err ? err : put_tokens(v, c);
	err = err ? err : put_analysis(v, c);
	err = err || !torch ? err : put_update(v, c, begin);
	put(c, "}");
	tell_of_rest(v, c);
	return err;
}

/* ---- each role ---- */

/* A reference policy of which nobody says anything does as the actor does, which it mostly shares its process with. */
static void set_base(const struct verl *v, struct choice *c)
{
	snprintf(c->base, sizeof(c->base), "%s.profiler", c->role->tree);
	if (!strcmp(c->role->name, "ref") && !is_written(v, c->base, ""))
		snprintf(c->base, sizeof(c->base), "%s.profiler", roles[0].tree);
}

static int put_role(struct verl *v, struct choice *c)
{
	bool enable = false, written;
	int err;

	set_base(v, c);
	if (!tree_find(&v->tree, c->base, strlen(c->base)))
		return 0;
	written = is_written(v, c->base, "");
	err = verl_bool(v, c->base, "enable", &enable);
	if (err)
		return err;
	if (c->used)
		put(c, ";");
	v->enabled += enable;
	if (enable)
		return put_enabled(v, c, c->text + c->used);
	if (written && !is_written(v, c->base, "enable") && strcmp(c->role->name, "rollout"))
		verl_say(v, VERL_NOT_ENABLED, "%s.enable is not set: it is False, as in verl, and the role is not recorded", c->base);
	put(c, "%s{enable=false}", c->role->name);
	return 0;
}

static bool is_any_written(const struct verl *v)
{
	char base[64];

	for (size_t i = 0; i < ROLES; i++) {
		snprintf(base, sizeof(base), "%s.profiler", roles[i].tree);
		if (is_written(v, base, ""))
			return true;
	}
	return false;
}

int verl_set_roles(struct verl *v)
{
	const char *path = v->path ? v->path : "the command";
	struct choice *c;
	char where[WHERE_SIZE];
	int err = 0;

	if (!is_any_written(v))
		return 0;
	c = calloc(1, sizeof(*c));
	if (!c)
		return refuse(v->l->error, v->l->size, "%s: no memory to read its roles", path);
	for (size_t i = 0; !err && i < ROLES; i++) {
		c->role = &roles[i];
		err = put_role(v, c);
	}
	snprintf(where, sizeof(where), "%s: roles", path);
	err = err ? err : loader_set(v->l, OPTION_roles, where, c->text);
	v->l->trainers_roles = true;
	free(c);
	return err;
}
