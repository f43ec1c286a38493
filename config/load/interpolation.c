#include "config/load/interpolation.h"
#include <stdlib.h>
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

/* A scalar where n stands. NULL: there is no room. */
static struct node *beside(struct tree *t, const struct node *n, const char *text, size_t length)
{
	struct node *other = tree_add(t, NULL, NULL, 0);

	if (!other)
		return NULL;
	other->parent = n->parent;
	other->origin = n->origin;
	other->line = n->line;
	other->shape = SHAPE_SCALAR;
	other->text = tree_text(t, text, length);
	return other->text ? other : NULL;
}

/* What stands behind the comma may be one more interpolation. */
static const struct node *otherwise(struct tree *t, const struct node *n, const char *text, size_t length)
{
	struct node *other = beside(t, n, text, length);

	if (!other || hydra_value(t, other, other->text))
		return unknown(t, n);
	return interpolate(t, other);
}

/* Behind `oc.select:`. */
static const struct node *selected(struct tree *t, const struct node *n, const char *text, size_t length)
{
	const char *comma = memchr(text, ',', length), *before = t->unknown;
	const struct node *found = relative(t, n, text, comma ? (size_t)(comma - text) : length);

	if (found || t->unknown != before)
		return found;
	return comma ? otherwise(t, n, comma + 1, (size_t)(text + length - comma - 1)) : tree_add(t, NULL, NULL, 0);
}

/* Behind `oc.env:`: the launcher's environment is the program's. */
static const struct node *environment(struct tree *t, const struct node *n, const char *text, size_t length)
{
	const char *comma = memchr(text, ',', length);
	struct node *name = beside(t, n, text, comma ? (size_t)(comma - text) : length);
	const char *value = name ? getenv(name->text) : NULL;

	if (value)
		return beside(t, n, value, strlen(value));
	return name && comma ? otherwise(t, n, comma + 1, (size_t)(text + length - comma - 1)) : unknown(t, n);
}

/* Behind a `${`; NULL: it is not closed. */
static const char *closing(const char *text)
{
	unsigned int open = 1;

	for (; *text; text++) {
		open += *text == '{';
		open -= *text == '}';
		if (!open)
			return text;
	}
	return NULL;
}

/* The functions of OmegaConf that are looked into. */
static const struct {
	const char *name;
	const struct node *(*of)(struct tree *t, const struct node *n, const char *text, size_t length);
} functions[] = {
	{ "oc.select:", selected },
	{ "oc.env:", environment },
};

/* One `${...}`, of which this is what stands between the braces. */
static const struct node *look_into(struct tree *t, const struct node *n, const char *inner, size_t length)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strncmp(inner, functions[i].name, strlen(functions[i].name)))
			return functions[i].of(t, n, inner + strlen(functions[i].name), length - strlen(functions[i].name));
	return memchr(inner, ':', length) || memchr(inner, '$', length) ? unknown(t, n) : relative(t, n, inner, length);
}

/* Behind the part that begins here: one `${...}`, or the text before the next. NULL: it is not closed. */
static const char *behind_part(const char *part)
{
	const char *end;

	if (!strncmp(part, "${", 2)) {
		end = closing(part + 2);
		return end ? end + 1 : NULL;
	}
	end = strstr(part, "${");
	return end ? end : part + strlen(part);
}

/* Text around several of them: what each stands for takes its place. A backslash may take its meaning from a brace. */
static const struct node *put_together(struct tree *t, const struct node *n)
{
	const char *end;
	char text[1024];
	size_t used = 0;

	if (strchr(n->text, '\\'))
		return unknown(t, n);
	for (const char *p = n->text; *p; p = end) {
		const struct node *part;

		end = behind_part(p);
		part = end ? beside(t, n, p, (size_t)(end - p)) : NULL;
		if (part && *p == '$')
			part = interpolate(t, part);
		if (!part || part->shape != SHAPE_SCALAR || strlen(part->text) >= sizeof(text) - used)
			return unknown(t, n);
		memcpy(text + used, part->text, strlen(part->text));
		used += strlen(part->text);
	}
	return beside(t, n, text, used);
}

static const struct node *stands_for(struct tree *t, const struct node *n)
{
	const char *inner = n->text + strlen("${"), *end = strncmp(n->text, "${", 2) ? NULL : closing(inner);

	return end && !end[1] ? look_into(t, n, inner, (size_t)(end - inner)) : put_together(t, n);
}

const struct node *interpolate(struct tree *t, const struct node *n)
{
	const struct node *found;

	if (n->shape != SHAPE_SCALAR || !strstr(n->text, "${"))
		return strcmp(n->shape == SHAPE_SCALAR ? n->text : "", "???") ? n : NULL;
	if (t->depth == DEPTH_MAX || t->looks++ >= LOOKS_MAX)
		return unknown(t, n);
	t->depth++;
	found = stands_for(t, n);
	t->depth--;
	return found ? found : unknown(t, n);
}

const struct node *interpolate_path(struct tree *t, const char *path)
{
	return walk(t, t->root, path, strlen(path));
}
