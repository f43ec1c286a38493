/* trainer_stages.c - which stages a trainer's settings select. */
#include <stdio.h>
#include <string.h>
#include "config/base/words.h"
#include "config/load/trainer_values.h"

#define LIST_TEXT 2048
#define KEYS_MAX  32

static const struct {
	enum trainer_keys keys;
	const char *word, *role;
} roles[] = {
#define TRAINER_ROLE(family, word, role) { KEYS_##family, word, role },
#include "config/load/trainer_settings.def"
};

static const char *role_of(const struct trainer_settings *s, const char *word, const char **near)
{
	const char *words[KEYS_MAX + 1] = { NULL };
	unsigned int n = 0;

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (roles[i].keys != s->d->keys)
			continue;
		if (!strcmp(roles[i].word, word))
			return roles[i].role;
		words[n++] = roles[i].role;
	}
	*near = word_nearest(word, words);
	*near = *near ? *near : words[0];
	return NULL;
}

static int put_role(struct trainer_settings *s, const struct node *n, const struct node *word, char text[LIST_TEXT])
{
	const char *near = "", *role = role_of(s, word->shape == SHAPE_SCALAR ? word->text : "", &near);
	size_t used = strlen(text);
	char reason[256];

	if (!role) {
		snprintf(reason, sizeof(reason), "'%.64s' is no stage: write %s", word->shape == SHAPE_SCALAR ? word->text : "", near);
		return trainer_refuse(s, n, "%s", reason);
	}
	if (!strstr(text, role) || strlen(role) + used + 2 < LIST_TEXT)
		snprintf(text + used, LIST_TEXT - used, "%s%s", used ? ";" : "", role);
	return 0;
}

/* One, or a list; each call of one has a file of its own. */
static int set_stages(struct trainer_settings *s, const struct node *n, const struct node *m)
{
	char text[LIST_TEXT] = "", where[WHERE_SIZE];
	int err = m->shape == SHAPE_SCALAR || m->shape == SHAPE_MAP ? put_role(s, n, m, text) : 0;

	for (const struct node *word = m->shape == SHAPE_LIST ? m->first : NULL; !err && word; word = word->next)
		err = put_role(s, n, word, text);
	if (err)
		return err;
	if (!*text) {
		trainer_settings_where(s, n, where, sizeof(where));
		trainer_settings_say(s, "%s: no stages, so nothing is recorded", where);
		return trainer_set(s, OPTION_steps, n, "");
	}
	err = trainer_set(s, OPTION_discrete, n, "true");
	return err ? err : trainer_set(s, OPTION_roles, n, text);
}

static bool is_all(const struct node *m)
{
	return m->shape == SHAPE_SCALAR && !strcmp(m->text, "all");
}

int trainer_set_stage(struct trainer_settings *s)
{
	const struct node *n = trainer_find_value(s, MEANS_STAGE), *m = trainer_meant(s, n);
	static const struct node nothing = { .shape = SHAPE_LIST };

	if (!m || is_all(m))
		return 0;
	if (s->d->stageless) {
		trainer_settings_say(s, "%s knows no stages: `stage` is left out", s->d->of);
		return 0;
	}
	/* To it a list of that word is of a stage that never comes. */
	return set_stages(s, n, m->shape == SHAPE_LIST && m->first && is_all(m->first) && !m->first->next ? &nothing : m);
}

/* Roles are read only where each has a file. */
int trainer_set_roles(struct trainer_settings *s)
{
	const struct node *n = trainer_find_value(s, MEANS_ROLES), *m;
	bool discrete = false;
	int err = trainer_bool(s, MEANS_DISCRETE, &discrete);

	if (err || !discrete)
		return err;
	m = trainer_meant(s, n);
	if (m && m->shape == SHAPE_SCALAR)
		return trainer_refuse(s, n, "this is no list: write [%s]", m->text);
	return m ? set_stages(s, n, m) : 0;
}
