/* verl_value.c - single values of verl's tree. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "config/base/number.h"
#include "config/load/interpolation.h"
#include "config/load/verl.h"

/* What is written at the place names it better than what is meant by it. */
int verl_refuse(struct verl *v, const char *base, const char *key, const struct node *n, const char *reason)
{
	char where[WHERE_SIZE], path[512];
	const struct node *written;

	snprintf(path, sizeof(path), "%s%s%s", base, *base ? "." : "", key);
	written = tree_find(&v->tree, path, strlen(path));
	if (tree_is_written(written))
		n = written;
	tree_where(n, where, sizeof(where));
	if (v->path && !n->origin)
		return refuse(v->l->error, v->l->size, "%s: %s: %s", v->path, path, reason);
	return refuse(v->l->error, v->l->size, "%s: %s", where, reason);
}

const struct node *verl_find(struct verl *v, const char *base, const char *key)
{
	const struct node *n;
	char path[512];

	snprintf(path, sizeof(path), "%s%s%s", base, *base ? "." : "", key);
	v->tree.unknown = NULL;
	n = interpolate_path(&v->tree, path);
	if (!n && v->tree.unknown)
		verl_say(v, VERL_UNSEEN, "%s: %.128s is not looked into, and left out: write its value", path, v->tree.unknown);
	return n;
}

static bool is_set(const struct node *n)
{
	return n && n->shape != SHAPE_NULL;
}

/* As YAML has them, in whatever case. */
static bool is_one_of(const struct node *n, const char *const *words)
{
	for (; n->shape == SHAPE_SCALAR && *words; words++)
		if (!strcasecmp(n->text, *words))
			return true;
	return false;
}

int verl_bool(struct verl *v, const char *base, const char *key, bool *value)
{
	static const char *const yes_words[] = { "true", "yes", "on", "1", NULL }, *const no_words[] = { "false", "no", "off", "0", NULL };
	const struct node *n = verl_find(v, base, key);
	bool yes;

	if (!is_set(n))
		return 0;
	yes = is_one_of(n, yes_words);
	if (!yes && !is_one_of(n, no_words))
		return verl_refuse(v, base, key, n, "this is neither true nor false: write True or False");
	*value = yes;
	return 0;
}

static bool is_number(const struct node *n, int64_t *value)
{
	const char *p = n->shape == SHAPE_SCALAR ? n->text : "";
	bool octal = p[0] == '0' && p[1]; /* to YAML */

	return !octal && number_read(&p, value) && !*p;
}

int verl_number(struct verl *v, const char *base, const char *key, int64_t *value)
{
	const struct node *n = verl_find(v, base, key);

	if (is_set(n) && !is_number(n, value))
		return verl_refuse(v, base, key, n, "this is no number: write one from 0, or null");
	return 0;
}

int verl_numbers(struct verl *v, const char *base, const char *key, char *text, size_t size)
{
	const struct node *n = verl_find(v, base, key);
	size_t used = 0;
	int64_t number;

	text[0] = '\0';
	if (!is_set(n))
		return 0;
	if (n->shape != SHAPE_LIST)
		return verl_refuse(v, base, key, n, "this is no list: write one like [1,2]");
	for (const struct node *item = n->first; item; item = item->next) {
		const struct node *meant = interpolate(&v->tree, item);

		if (!meant || !is_number(meant, &number))
			return verl_refuse(v, base, key, n, "a list of numbers from 0 is meant: write one like [1,2]");
		used += (size_t)snprintf(text + used, size - used, "%s%lld", used ? " " : "", (long long)number);
		if (used >= size)
			return verl_refuse(v, base, key, n, "too many numbers: write fewer");
	}
	return 0;
}
