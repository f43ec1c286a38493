#include "config/load/hydra.h"
#include <string.h>
#include <strings.h>

#define BLANKS "\t "

static const char no_room[] = "too many settings: write fewer";

struct parser {
	struct tree *t;
	const char *p;
	unsigned int depth;
	const char *problem;
};

static bool parse_value(struct parser *p, struct node *n, const char *ends);

static bool fail(struct parser *p, const char *problem)
{
	if (!p->problem)
		p->problem = problem;
	return false;
}

static void skip_blanks(struct parser *p)
{
	p->p += strspn(p->p, BLANKS);
}

static bool set_text(struct parser *p, struct node *n, const char *text, size_t length)
{
	n->text = tree_text(p->t, text, length);
	return n->text || fail(p, no_room);
}

/* A backslash makes a quotation mark part of the text. */
static bool parse_quoted(struct parser *p, struct node *n)
{
	char quote = *p->p++, text[4096];
	size_t length = 0;

	for (; *p->p && *p->p != quote; p->p++) {
		if (*p->p == '\\' && (p->p[1] == quote || p->p[1] == '\\'))
			p->p++;
		if (length == sizeof(text))
			return fail(p, "longer than 4096 bytes: shorten it");
		text[length++] = *p->p;
	}
	if (!*p->p)
		return fail(p, "a quotation mark is missing: write it behind the text");
	p->p++;
	n->shape = SHAPE_SCALAR;
	return set_text(p, n, text, length);
}

/* To one of the ends; not inside of ${...}. */
static const char *end_of_plain(const char *p, const char *ends)
{
	unsigned int open = 0;

	for (; *p && (open || !strchr(ends, *p)); p++) {
		open += *p == '{' && (open || p[-1] == '$');
		open -= *p == '}' && open;
		p += *p == '\\' && p[1];
	}
	return p;
}

static bool parse_plain(struct parser *p, struct node *n, const char *ends)
{
	const char *begin = p->p, *end = end_of_plain(begin, ends);

	p->p = end;
	while (end > begin && strchr(BLANKS, end[-1]))
		end--;
	if (end == begin && *ends)
		return fail(p, "a value is missing: write it");
	n->shape = end - begin == 4 && !strncasecmp(begin, "null", 4) ? SHAPE_NULL : SHAPE_SCALAR;
	return set_text(p, n, begin, (size_t)(end - begin));
}

/* The key of a mapping, and its ':'. */
static struct node *parse_key(struct parser *p, struct node *map)
{
	size_t length = strcspn(p->p, ":,}");
	const char *key = p->p;
	struct node *n;

	if (key[length] != ':' || !length) {
		fail(p, "a ':' is missing: write {a: 1}");
		return NULL;
	}
	p->p += length + 1;
	while (length && strchr(BLANKS, key[length - 1]))
		length--;
	n = tree_add(p->t, map, key, length);
	if (!n)
		fail(p, no_room);
	return n;
}

/* [1,2], or {a: 1, b: 2} */
static bool parse_container(struct parser *p, struct node *n, enum shape shape, const char *ends, const char *missing)
{
	struct node *child;

	tree_clear(n, shape);
	p->p++;
	for (skip_blanks(p); *p->p != ends[1]; skip_blanks(p)) {
		child = shape == SHAPE_MAP ? parse_key(p, n) : tree_add(p->t, n, NULL, 0);
		if (!child || p->problem)
			return fail(p, no_room);
		child->origin = n->origin;
		if (!parse_value(p, child, ends))
			return false;
		skip_blanks(p);
		if (*p->p == ',')
			p->p++;
		else if (*p->p != ends[1])
			return fail(p, missing);
	}
	p->p++;
	return true;
}

static bool parse_value(struct parser *p, struct node *n, const char *ends)
{
	bool good;

	if (++p->depth > YAML_DEPTH)
		return fail(p, "nested deeper than 16 levels: use fewer");
	skip_blanks(p);
	tree_clear(n, SHAPE_NULL);
	if (*p->p == '[')
		good = parse_container(p, n, SHAPE_LIST, ",]", "a ']' is missing: write [1,2]");
	else if (*p->p == '{')
		good = parse_container(p, n, SHAPE_MAP, ",}", "a '}' is missing: write {a: 1}");
	else if (*p->p == '\'' || *p->p == '"')
		good = parse_quoted(p, n);
	else
		good = parse_plain(p, n, ends);
	p->depth--;
	return good;
}

const char *hydra_value(struct tree *t, struct node *n, const char *text)
{
	struct parser p = { .t = t, .p = text };

	if (!parse_value(&p, n, ""))
		return p.problem;
	skip_blanks(&p);
	return *p.p ? "more stands behind the value: remove it, or write a list like [1,2]" : NULL;
}

/* A word that names a group's file instead of a setting: actor@actor_rollout_ref.actor=megatron_actor, model_engine=megatron. */
static bool is_group(const struct tree *t, const char *key, size_t length, const char *value)
{
	const struct node *n = tree_find(t, key, length);

	if (memchr(key, '/', length) || memchr(key, '@', length))
		return true;
	return !memchr(key, '.', length) && n && n->shape == SHAPE_MAP && !strchr("[{", *value);
}

static const char *set(struct tree *t, const char *key, size_t length, const char *value)
{
	struct node *n = tree_add(t, NULL, NULL, 0), *there;
	const char *problem;

	if (!n)
		return no_room;
	n->origin = TREE_COMMAND;
	problem = hydra_value(t, n, value);
	if (problem)
		return problem;
	there = tree_make(t, key, length);
	return there && tree_merge(t, there, n) ? NULL : no_room;
}

const char *hydra_word(struct tree *t, const char *word)
{
	bool remove = *word == '~';
	const char *key = word + strspn(word, remove ? "~" : "+"), *value;
	size_t length = strcspn(key, "=");
	struct node *n;

	value = key[length] ? key + length + 1 : NULL;
	if (*word == '-' || (!value && !remove) || is_group(t, key, length, value ? value : ""))
		return NULL;
	if (!remove)
		return set(t, key, length, value);
	n = tree_find(t, key, length);
	if (n)
		tree_remove(n);
	return NULL;
}
