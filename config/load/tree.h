/* tree.h - settings as a tree, as trainers have them: read from YAML and from words, one laid over the other. */
#pragma once
#include <stddef.h>
#include "config/load/yaml_value.h"

#define TREE_NODES   6144
#define TREE_BYTES   (192 << 10)

/* The origin of a word of a command. */
#define TREE_COMMAND ""

struct node {
	enum shape shape;
	const char *origin; /* the file, or TREE_COMMAND; NULL: a default */
	unsigned long line; /* of the file */
	const char *key;    /* NULL: an item of a list */
	const char *text;   /* of a scalar */
	struct node *parent, *first, *last, *next;
};

struct tree {
	struct node *root; /* a mapping; the first of so many */
	size_t nodes;
	char *bytes; /* keys and texts */
	size_t used;
	unsigned int depth;  /* of interpolations that are being looked into, */
	unsigned int looks;  /* and how many were, ever */
	const char *unknown; /* an interpolation that cannot be looked into, since this was set to NULL */
};

/* False: no memory. tree_end() then, too. */
bool tree_begin(struct tree *t);
void tree_end(struct tree *t);

/* What there is no room for is NULL. Text of no key is an item of a list. */
struct node *tree_add(struct tree *t, struct node *parent, const char *key, size_t length);
const char *tree_text(struct tree *t, const char *text, size_t length);

struct node *tree_child(const struct node *map, const char *key, size_t length);

/* The node at a.b.c, as it stands there; NULL: there is none. */
struct node *tree_find(const struct tree *t, const char *path, size_t length);

/* The same, made with what is on the way to it. */
struct node *tree_make(struct tree *t, const char *path, size_t length);

void tree_clear(struct node *n, enum shape shape);
void tree_remove(struct node *n);

/* Lays a node over another: mappings are merged, all else takes the place of what was there. False: no room. */
bool tree_merge(struct tree *t, struct node *to, const struct node *from);

/* Has somebody written it, or something in it, or are they all defaults? */
bool tree_is_written(const struct node *n);

/* a.b.c */
void tree_path(const struct node *n, char *text, size_t size);

/* `profile.yaml:12: a.b.c`, or the path alone of a word of the command. */
void tree_where(const struct node *n, char *text, size_t size);

/* Two languages in a file, by a node of each, and whose it is: -EINVAL. */
int tree_refuse_two(struct loader *l, const char *path, const struct node *one, const char *of, const struct node *other, const char *of_other);

/* Reads a document into an empty node, path the origin: 0, or -EINVAL with a line in the loader's error. It may be no mapping. */
int tree_read(struct tree *t, struct node *n, struct loader *l, const char *path, const char *text, size_t length);
