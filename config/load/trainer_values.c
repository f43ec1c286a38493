/* trainer_values.c - single values of trainers' settings. */
#include "config/load/trainer_values.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "config/base/number.h"
#include "config/load/interpolation.h"

const struct trainer_key *trainer_key_of(const struct trainer_settings *s, enum trainer_meaning means)
{
	for (const struct trainer_key *k = trainer_key_rows; k->key; k++)
		if (k->keys == s->d->keys && k->means == means)
			return k;
	return NULL;
}

/* What stands there, or the default; of several keys of that meaning one that is written. NULL: nothing. */
const struct node *trainer_find_value(struct trainer_settings *s, enum trainer_meaning means)
{
	const struct node *found = NULL, *n;

	for (const struct trainer_key *k = trainer_key_rows; k->key; k++) {
		if (k->keys != s->d->keys || k->means != means)
			continue;
		n = tree_child(s->keys, k->key, strlen(k->key));
		if (n && (!found || n->origin))
			found = n;
	}
	return found;
}

bool trainer_is_written(struct trainer_settings *s, enum trainer_meaning means)
{
	const struct node *n = trainer_find_value(s, means);

	return n && n->origin;
}

/* In format a %s is the word, if there is one. */
int trainer_refuse(const struct trainer_settings *s, const struct node *n, const char *format, const char *word)
{
	char where[WHERE_SIZE], reason[512];

	trainer_settings_where(s, n, where, sizeof(where));
	snprintf(reason, sizeof(reason), format, word);
	return refuse(s->l->error, s->l->size, "%s: %s", where, reason);
}

/* What is meant by it, through interpolations. NULL: it cannot be told, which is said. */
const struct node *trainer_meant(struct trainer_settings *s, const struct node *n)
{
	const struct node *m;
	char where[WHERE_SIZE];

	s->tree.unknown = NULL;
	m = n ? interpolate(&s->tree, n) : NULL;
	if (n && !m) {
		trainer_settings_where(s, n, where, sizeof(where));
		trainer_settings_say(s, "%s: %.128s is not looked into, and left out: write its value", where, s->tree.unknown ? s->tree.unknown : "it");
	}
	return m;
}

/* 1, 0, or -EINVAL. */
int trainer_is_true(const struct trainer_settings *s, const struct node *n, const struct node *value)
{
	static const char *const yes[] = { "true", "yes", "on", "1", "t", "y" }, *const no[] = { "false", "no", "off", "0", "f", "n" };

	for (size_t i = 0; value->shape == SHAPE_SCALAR && i < sizeof(yes) / sizeof(yes[0]); i++)
		if (!strcasecmp(value->text, yes[i]) || !strcasecmp(value->text, no[i]))
			return !strcasecmp(value->text, yes[i]);
	return trainer_refuse(s, n, "this is neither true nor false: write True or False", "");
}

/* Of several keys each that is written counts. */
int trainer_bool(struct trainer_settings *s, enum trainer_meaning means, bool *value)
{
	const struct node *n = trainer_find_value(s, means), *m = trainer_meant(s, n);
	int is;

	if (!m || m->shape == SHAPE_NULL)
		return 0;
	is = trainer_is_true(s, n, m);
	if (is < 0)
		return is;
	*value = is;
	return 0;
}

/* A number that may be negative. */
bool trainer_number_of(const struct node *n, int64_t *value)
{
	const char *p = n && n->shape == SHAPE_SCALAR ? n->text : "";
	bool minus = *p == '-';

	p += minus;
	if (*p == '0' && p[1]) /* what YAML makes of it is another number */
		return false;
	if (!number_read(&p, value) || *p)
		return false;
	*value = minus ? -*value : *value;
	return true;
}

int trainer_number(struct trainer_settings *s, enum trainer_meaning means, int64_t *value, const struct node **n)
{
	const struct node *m;
	char least[24];

	*n = trainer_find_value(s, means);
	m = trainer_meant(s, *n);
	snprintf(least, sizeof(least), "%d", s->d->least);
	if (m && !trainer_number_of(m, value))
		return trainer_refuse(s, *n, "this is no number: write one from %s", least);
	return 0;
}

int trainer_set(struct trainer_settings *s, enum option_id id, const struct node *n, const char *text)
{
	char where[WHERE_SIZE] = "";

	if (n && n->origin)
		trainer_settings_where(s, n, where, sizeof(where));
	return loader_set(s->l, id, *where ? where : s->d->of, text);
}
