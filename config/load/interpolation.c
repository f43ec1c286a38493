#include "config/load/interpolation.h"
#include <stdio.h>
#include <string.h>
#include "config/load/hydra.h"

#define DEPTH_MAX 16	/* of interpolations that stand for others */
#define LOOKS_MAX 65536 /* each of which may ask for several */

static const struct node *unknown(struct tree *t, const struct node *n)
{
	if (!t->unknown)
		t->unknown = n->text;
	return NULL;
}

/* From a node down. */
static const struct node *walk(struct tree *t, const struct node *from, const char *path, size_t length)
{
	const char *end = path + length;
	size_t key;

	for (; from && path <= end; path += key + 1) {
		key = strcspn(path, ".");
		if (path + key > end)
			key = (size_t)(end - path);
		from = tree_child(from, path, key);
		from = from ? interpolate(t, from) : NULL;
	}
	return from;
}

/* `.c` is beside the node, `..c` beside its parent. */
static const struct node *relative(struct tree *t, const struct node *n, const char *path, size_t length)
{
	const struct node *from = n;

	while (length && *path == '.') {
		from = from ? from->parent : NULL;
		path++;
		length--;
	}
	return walk(t, from == n ? t->root : from, path, length);
}

/* Behind `oc.select:`; a default of its own may be one more interpolation. */
static const struct node *selected(struct tree *t, const struct node *n, const char *text, size_t length)
{
	const char *comma = memchr(text, ',', length), *before = t->unknown;
	const struct node *found = relative(t, n, text, comma ? (size_t)(comma - text) : length);
	struct node *other;

	if (found || t->unknown != before)
		return found;
	other = tree_add(t, NULL, NULL, 0);
	if (!other || !comma)
		return other;
	other->parent = n->parent;
	other->origin = n->origin;
	other->line = n->line;
	comma++;
	other->text = tree_text(t, comma, (size_t)(text + length - comma));
	if (!other->text || hydra_value(t, other, other->text))
		return unknown(t, n);
	return interpolate(t, other);
}

/* Is the whole of it one `${...}`? */
static bool is_one(const char *text, size_t length)
{
	unsigned int open = 0;

	for (size_t i = 0; i < length; i++) {
		open += text[i] == '{';
		open -= text[i] == '}';
		if (!open && text[i] == '}')
			return i + 1 == length;
	}
	return false;
}

static const struct node *look_into(struct tree *t, const struct node *n)
{
	static const char select[] = "oc.select:";
	const char *inner = n->text + strlen("${");
	size_t length = strlen(n->text);

	if (strncmp(n->text, "${", 2) || !is_one(n->text, length))
		return unknown(t, n);
	length -= strlen("${}");
	if (!strncmp(inner, select, strlen(select)))
		return selected(t, n, inner + strlen(select), length - strlen(select));
	if (memchr(inner, ':', length) || memchr(inner, '$', length))
		return unknown(t, n);
	n = relative(t, n, inner, length);
	return n;
}

const struct node *interpolate(struct tree *t, const struct node *n)
{
	const struct node *found;

	if (n->shape != SHAPE_SCALAR || !strstr(n->text, "${"))
		return strcmp(n->shape == SHAPE_SCALAR ? n->text : "", "???") ? n : NULL;
	if (t->depth == DEPTH_MAX || t->looks++ >= LOOKS_MAX)
		return unknown(t, n);
	t->depth++;
	found = look_into(t, n);
	t->depth--;
	return found ? found : unknown(t, n);
}

const struct node *interpolate_path(struct tree *t, const char *path)
{
	return walk(t, t->root, path, strlen(path));
}
