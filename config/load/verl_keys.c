/* verl_keys.c - keys that verl has in no version: a line each, with the nearest that it has. */
#include <stdio.h>
#include <string.h>
#include "config/base/words.h"
#include "config/load/verl.h"

#define KEYS_MAX 16

static const struct keys {
	const char *tree, *keys[KEYS_MAX + 1];
} rows[] = {
#define VERL_KEYS(tree, ...) { tree, { __VA_ARGS__ } },
#include "config/load/verl_keys.def"
#undef VERL_KEYS
};

static const char *const *keys_of(const char *tree)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].tree, tree))
			return rows[i].keys;
	return NULL;
}

static bool is_known(const char *const *keys, const char *key)
{
	while (*keys && strcmp(*keys, key))
		keys++;
	return *keys;
}

static void tell(struct verl *v, const struct node *n, const char *const *keys)
{
	const char *near = word_nearest(n->key, keys);
	char where[WHERE_SIZE];

	tree_where(n, where, sizeof(where));
	if (near)
		verl_say(v, VERL_NOTES_EACH, "%s is unknown and left out: did you mean %s?", where, near);
	else
		verl_say(v, VERL_NOTES_EACH, "%s is unknown and left out", where);
}

static void tell_below(struct verl *v, const struct node *tree)
{
	const char *const *keys = keys_of(tree->key);

	for (const struct node *n = keys && tree->shape == SHAPE_MAP ? tree->first : NULL; n; n = n->next) {
		if (!tree_is_written(n))
			continue;
		if (is_known(keys, n->key))
			tell_below(v, n);
		else
			tell(v, n, keys);
	}
}

/* Profilers' trees, wherever they are. */
static void find_trees(struct verl *v, const struct node *n)
{
	for (n = n->shape == SHAPE_MAP ? n->first : NULL; n; n = n->next) {
		if (!strcmp(n->key, "profiler") || !strcmp(n->key, "global_profiler"))
			tell_below(v, n);
		else
			find_trees(v, n);
	}
}

void verl_keys_tell(struct verl *v)
{
	find_trees(v, v->tree.root);
}
