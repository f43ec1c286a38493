/* tree.c - nodes and texts of a tree are given back together. */
#include "config/load/tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "config/base/refuse.h"
#include "config/load/interpolation.h"

bool tree_begin(struct tree *t)
{
	*t = (struct tree){ .root = calloc(TREE_NODES, sizeof(struct node)), .bytes = malloc(TREE_BYTES), .nodes = 1 };
	if (!t->root || !t->bytes)
		return false;
	t->root->shape = SHAPE_MAP;
	return true;
}

void tree_end(struct tree *t)
{
	free(t->root);
	free(t->bytes);
}

const char *tree_text(struct tree *t, const char *text, size_t length)
{
	char *copy = t->bytes + t->used;

	if (length >= TREE_BYTES - t->used)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	t->used += length + 1;
	return copy;
}

struct node *tree_add(struct tree *t, struct node *parent, const char *key, size_t length)
{
	struct node *n = t->nodes < TREE_NODES ? &t->root[t->nodes] : NULL;

	if (!n)
		return NULL;
	*n = (struct node){ .parent = parent, .key = key ? tree_text(t, key, length) : NULL };
	if (key && !n->key)
		return NULL;
	t->nodes++;
	if (!parent)
		return n;
	if (parent->last)
		parent->last->next = n;
	else
		parent->first = n;
	parent->last = n;
	return n;
}

struct node *tree_child(const struct node *map, const char *key, size_t length)
{
	struct node *n = map->shape == SHAPE_MAP ? map->first : NULL;

	while (n && (strncmp(n->key, key, length) || n->key[length]))
		n = n->next;
	return n;
}

/* The length of a path's first key. */
static size_t key_length(const char *path, size_t length)
{
	const char *dot = memchr(path, '.', length);

	return dot ? (size_t)(dot - path) : length;
}

struct node *tree_find(const struct tree *t, const char *path, size_t length)
{
	struct node *n = t->root;
	const char *end = path + length;
	size_t key;

	for (; n && path <= end; path += key + 1) {
		key = key_length(path, (size_t)(end - path));
		n = tree_child(n, path, key);
	}
	return n;
}

struct node *tree_make(struct tree *t, const char *path, size_t length)
{
	struct node *n = t->root, *child;
	const char *end = path + length;
	size_t key;

	for (; n && path <= end; path += key + 1) {
		key = key_length(path, (size_t)(end - path));
		if (n->shape != SHAPE_MAP)
			tree_clear(n, SHAPE_MAP);
		child = tree_child(n, path, key);
		n = child ? child : tree_add(t, n, path, key);
	}
	return n;
}

void tree_clear(struct node *n, enum shape shape)
{
	n->shape = shape;
	n->text = NULL;
	n->first = n->last = NULL;
}

void tree_remove(struct node *n)
{
	struct node *parent = n->parent, *before = NULL;

	for (struct node *at = parent->first; at != n; at = at->next)
		before = at;
	*(before ? &before->next : &parent->first) = n->next;
	if (parent->last == n)
		parent->last = before;
}

static bool copy(struct tree *t, struct node *to, const struct node *from)
{
	struct node *child;

	tree_clear(to, from->shape);
	to->text = from->text;
	for (const struct node *n = from->first; n; n = n->next) {
		child = tree_add(t, to, n->key, n->key ? strlen(n->key) : 0);
		if (!child)
			return false;
		child->origin = n->origin;
		child->line = n->line;
		if (!copy(t, child, n))
			return false;
	}
	return true;
}

/* What stands there by an interpolation is what is merged into. */
static bool stand_alone(struct tree *t, struct node *n)
{
	const struct node *there = n->shape == SHAPE_SCALAR ? interpolate(t, n) : NULL;

	return !there || there == n || there->shape != SHAPE_MAP || copy(t, n, there);
}

bool tree_merge(struct tree *t, struct node *to, const struct node *from)
{
	struct node *child;

	to->origin = from->origin;
	to->line = from->line;
	if (from->shape == SHAPE_MAP && !stand_alone(t, to))
		return false;
	if (from->shape != SHAPE_MAP || to->shape != SHAPE_MAP)
		return copy(t, to, from);
	for (const struct node *n = from->first; n; n = n->next) {
		child = tree_child(to, n->key, strlen(n->key));
		child = child ? child : tree_add(t, to, n->key, strlen(n->key));
		if (!child || !tree_merge(t, child, n))
			return false;
	}
	return true;
}

bool tree_is_written(const struct node *n)
{
	if (!n)
		return false;
	if (n->origin)
		return true;
	for (const struct node *child = n->first; child; child = child->next)
		if (tree_is_written(child))
			return true;
	return false;
}

void tree_path(const struct node *n, char *text, size_t size)
{
	size_t used;

	if (!n->parent || !n->parent->key) {
		snprintf(text, size, "%s", n->key ? n->key : "");
		return;
	}
	tree_path(n->parent, text, size);
	used = strlen(text);
	if (n->key)
		snprintf(text + used, size - used, ".%s", n->key);
}

void tree_where(const struct node *n, char *text, size_t size)
{
	char path[512];

	tree_path(n, path, sizeof(path));
	if (n->origin && *n->origin)
		snprintf(text, size, "%s:%lu: %s", n->origin, n->line, path);
	else
		snprintf(text, size, "%s", path);
}

int tree_refuse_two(struct loader *l, const char *path, const struct node *one, const char *of, const struct node *other, const char *of_other)
{
	return refuse(l->error, l->size, "%s:%lu: %.64s is %s's, and %.64s (line %lu) is %s's: keep one of them in a file", path, one->line, one->key, of,
		      other->key, other->line, of_other);
}
