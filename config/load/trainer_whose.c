/* trainer_whose.c - whose settings a file speaks: a trainer's, by a tree that it alone has, and nobody's besides. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "config/load/dialects.h"
#include "config/load/trainer_values.h"
#include "config/preset.h"

static const struct node *find(const struct tree *t, const char *path)
{
	return tree_find(t, path, strlen(path));
}

static bool has_profilers_keys(const struct node *map)
{
	for (const struct node *n = map->shape == SHAPE_MAP ? map->first : NULL; n; n = n->next)
		if (trainer_is_profilers(n->key))
			return true;
	return false;
}

/* Trees of others are often called so: only one that says something of a profiler is a reason to doubt another's file. */
static bool is_marked(const struct tree *t, const struct trainer_dialect *d, bool beyond_doubt)
{
	const struct node *n = d->tree ? find(t, d->tree) : NULL;

	return n && n->shape == SHAPE_MAP && (d->everything || !beyond_doubt || has_profilers_keys(n));
}

/* The dialect that is marked in the tree, behind this one; rows of one tree count once. */
static const struct trainer_dialect *next_marked(const struct tree *t, const struct trainer_dialect *d, bool beyond_doubt)
{
	const char *before = d ? d->tree : NULL;

	for (d = d ? d + 1 : trainer_dialect_rows; d->name; d++)
		if (is_marked(t, d, beyond_doubt) && !(before && !strcmp(before, d->tree)))
			return d;
	return NULL;
}

/* The nodes at the top of the trees. */
static const struct node *top_of(const struct tree *t, const struct trainer_dialect *d)
{
	return tree_child(t->root, d->tree, strcspn(d->tree, "."));
}

/* What only verl has; another trainer has a tree called actor_rollout_ref, too. NULL: nothing. */
static const struct node *verls(const struct tree *t)
{
	static const char *const trees[] = {
#define VERL_ROLE(name, tree, stage) tree,
#include "config/load/verl_roles.def"
#undef VERL_ROLE
	};
	const struct node *n = tree_child(t->root, "global_profiler", strlen("global_profiler"));
	char path[128];

	for (size_t i = 0; !n && i < sizeof(trees) / sizeof(trees[0]); i++) {
		snprintf(path, sizeof(path), "%s.profiler", trees[i]);
		if (find(t, path))
			n = tree_child(t->root, path, strcspn(path, "."));
	}
	return n;
}

/* The profiler's first key that is in no tree. */
static const struct node *first_bare(const struct tree *t)
{
	const struct node *n = t->root->first;

	while (n && !trainer_is_profilers(n->key))
		n = n->next;
	return n;
}

/* Whose keys those are that are in no tree, by one beside them that it alone has; NULL: that cannot be told. */
static const struct trainer_dialect *whose_alone(const struct tree *t)
{
	const struct trainer_dialect *d = trainer_dialect_rows;

	if (!first_bare(t))
		return NULL;
	while (d->name && !(d->alone && tree_child(t->root, d->alone, strlen(d->alone))))
		d++;
	return d->name ? d : NULL;
}

static int find_marked(struct loader *l, const char *path, const struct tree *t, const struct trainer_dialect **d)
{
	const struct node *others = verls(t);
	const struct trainer_dialect *second;

	*d = next_marked(t, NULL, true);
	if (!*d)
		*d = others ? NULL : next_marked(t, NULL, false);
	if (*d && others)
		return tree_refuse_two(l, path, top_of(t, *d), (*d)->of, others, "verl");
	second = *d ? next_marked(t, *d, true) : NULL;
	if (second)
		return tree_refuse_two(l, path, top_of(t, *d), (*d)->of, top_of(t, second), second->of);
	second = *d ? whose_alone(t) : NULL;
	return second && second->keys != (*d)->keys ? tree_refuse_two(l, path, top_of(t, *d), (*d)->of, first_bare(t), second->of) : 0;
}

/* Without a tree around them keys do not tell whose they are, unless one is there that a single trainer has. */
static int find_bare(struct loader *l, const char *path, const struct tree *t, const struct trainer_dialect **d)
{
	const char *wanted = l->command && l->command->preset ? l->command->preset : "";
	const struct node *n = first_bare(t), *others = verls(t);
	const struct trainer_dialect *alone = whose_alone(t);

	if (!n || (!others && tree_child(t->root, "actor_rollout_ref", strlen("actor_rollout_ref"))))
		return 0;
	for (const struct trainer_dialect *bare = trainer_dialect_rows; bare->name && !*d; bare++)
		if (bare->tree && (preset_is_like(wanted, bare->preset) || bare == alone))
			*d = bare;
	if (*d && others)
		return tree_refuse_two(l, path, n, (*d)->of, others, "verl");
	if (!*d && !others)
		return refuse(l->error, l->size, "%s:%lu: whose is %.64s? Of MindSpeed-LLM's FSDP2 write it below training:, of MindSpeed-RL below "
						 "profiler_config: and integrated:",
			      path, n->line, n->key);
	return 0;
}

/* A file speaks one language: whoever mixes them would not be told what counts. */
static int refuse_ours(struct loader *l, const char *path, const struct tree *t, const struct trainer_dialect *d, bool bare)
{
	for (const struct node *n = t->root->first; n; n = n->next)
		if (option_find(n->key) < OPTIONS)
			return tree_refuse_two(l, path, n, "ranktrace", bare ? first_bare(t) : top_of(t, d), d->of);
	return 0;
}

/* `roles:['generate']` is one word to YAML. */
static int refuse_without_blank(struct loader *l, const char *path, const char *text)
{
	unsigned long line = 1;
	size_t blanks, word;

	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n', line++) {
		blanks = strspn(p, " \t");
		word = 0;
		while (isalnum((unsigned char)p[blanks + word]) || p[blanks + word] == '_')
			word++;
		p += blanks;
		if (word && p[word] == ':' && p[word + 1] && strchr("[{'\"", p[word + 1]))
			return refuse(l->error, l->size, "%s:%lu: no blank behind the ':': write %.*s: %.*s", path, line, shown((int)word), p,
				      shown((int)strcspn(p + word + 1, "\r\n")), p + word + 1);
	}
	return -EINVAL;
}

/* A tree in which nothing of ours was read, nor of verl: what is wrong with it is more to the point than which words we do not know. */
static bool is_nobodys(const struct tree *t)
{
	bool deep = false;

	if (t->root->shape != SHAPE_MAP || !t->root->first || verls(t) || tree_child(t->root, "actor_rollout_ref", strlen("actor_rollout_ref")))
		return false;
	for (const struct node *n = t->root->first; n; n = n->next)
		if (native_knows(n->key))
			return false;
		else
			deep |= n->shape == SHAPE_MAP;
	return deep;
}

static int find_dialect(struct loader *l, const char *path, const struct tree *t, bool unreadable, const struct trainer_dialect **d, bool *bare)
{
	int err = find_marked(l, path, t, d);

	if (!err && !unreadable && !*d) {
		err = find_bare(l, path, t, d);
		*bare = *d;
	}
	return !err && *d && !unreadable ? refuse_ours(l, path, t, *d, *bare) : err;
}

int trainer_whose(struct loader *l, const char *path, const char *text, size_t length, const struct trainer_dialect **d, bool *bare)
{
	struct tree t;
	int err = 0, unreadable;

	*d = NULL;
	*bare = false;
	if (!tree_begin(&t)) {
		tree_end(&t);
		return refuse(l->error, l->size, "%s: no memory to read it", path);
	}
	unreadable = tree_read(&t, t.root, l, path, text, length);
	if (t.root->shape == SHAPE_MAP)
		err = find_dialect(l, path, &t, unreadable, d, bare);
	if (*d && !err && unreadable)
		err = refuse_without_blank(l, path, text);
	else if (!err && unreadable && is_nobodys(&t))
		err = unreadable;
	tree_end(&t);
	return err;
}
