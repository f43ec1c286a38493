/* trainer_apply.c - what the settings of a trainer's own profiler mean for the run. */
#include <stdio.h>
#include <string.h>
#include "config/base/words.h"
#include "config/load/trainer_values.h"

#define KEYS_MAX 32

/* ---- whether ---- */

static bool is_anything_written(const struct trainer_settings *s)
{
	for (const struct trainer_key *k = trainer_key_rows; k->key; k++) {
		const struct node *n = k->keys == s->d->keys ? tree_child(s->keys, k->key, strlen(k->key)) : NULL;

		if (n && n->origin)
			return true;
	}
	return false;
}

/* Some say only what is to be recorded, and mean that it is. */
static bool is_implied(struct trainer_settings *s)
{
	return s->d->implied && !trainer_is_written(s, MEANS_SWITCH) && (trainer_is_written(s, MEANS_STEPS) || trainer_is_written(s, MEANS_ROLES) || trainer_is_written(s, MEANS_DISCRETE));
}

static void say_switch(struct trainer_settings *s, const char *format)
{
	const struct trainer_key *k = trainer_key_of(s, MEANS_SWITCH);
	const struct node *n = tree_child(s->keys, k->key, strlen(k->key));
	char where[WHERE_SIZE] = "";

	trainer_settings_where(s, n, where, sizeof(where));
	if (s->d->words == WORDS_FLAGS && !n->origin)
		snprintf(where, sizeof(where), "--%s", k->key);
	trainer_settings_say(s, format, where);
}

/* A later layer, an option say, may still want steps. */
static int leave_off(struct trainer_settings *s)
{
	if (!is_anything_written(s) && !s->path)
		return 0;
	say_switch(s, trainer_is_written(s, MEANS_SWITCH) ? "%s is off, so nothing is recorded (to record: switch it on, or give --steps)"
							  : "%s is not given, and off by default, so nothing is recorded (to record: give it, or --steps)");
	return trainer_set(s, OPTION_steps, trainer_find_value(s, MEANS_SWITCH), "");
}

/* ---- what of them ---- */

static int set_level(struct trainer_settings *s)
{
	const struct node *n = trainer_find_value(s, MEANS_LEVEL), *m = trainer_meant(s, n);

	if (!m || m->shape == SHAPE_NULL)
		return 0;
	return m->shape == SHAPE_SCALAR ? trainer_set(s, OPTION_level, n, m->text) : trainer_refuse(s, n, "this is no level: write level0", "");
}

static int set_contents(struct trainer_settings *s)
{
	static const struct {
		enum trainer_meaning means;
		const char *word;
		bool usual;
	} words[] = {
		{ MEANS_DEVICE, "device", true },
		{ MEANS_MEMORY, "memory", false },
		{ MEANS_SHAPES, "shapes", false },
		{ MEANS_MODULE, "module", false },
		{ MEANS_STACK, "stack", false },
	};
	char text[64] = "cpu";

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		bool is = words[i].usual;
		int err = trainer_bool(s, words[i].means, &is);

		if (err)
			return err;
		if (is)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), ",%s", words[i].word);
	}
	return trainer_set(s, OPTION_contents, NULL, text);
}

/* ---- the rest ---- */

static int set_written(struct trainer_settings *s, enum trainer_meaning means, enum option_id id)
{
	const struct node *n = trainer_find_value(s, means), *m = n && n->origin ? trainer_meant(s, n) : NULL;

	if (!m || m->shape == SHAPE_NULL)
		return 0;
	if (m->shape == SHAPE_LIST && m->first)
		m = m->first;
	return m->shape == SHAPE_SCALAR ? trainer_set(s, id, n, m->text) : trainer_refuse(s, n, "this is no value: write one word", "");
}

static int set_analysis(struct trainer_settings *s)
{
	bool analysis = false;
	int err = trainer_is_written(s, MEANS_ANALYSIS) ? trainer_bool(s, MEANS_ANALYSIS, &analysis) : 0;

	return err || !analysis ? err : trainer_set(s, OPTION_analysis, trainer_find_value(s, MEANS_ANALYSIS), "true");
}

static int set_simplification(struct trainer_settings *s)
{
	bool value = true;
	int err = trainer_is_written(s, MEANS_SIMPLIFY) ? trainer_bool(s, MEANS_SIMPLIFY, &value) : 0;

	return err || value ? err : trainer_set(s, OPTION_data_simplification, trainer_find_value(s, MEANS_SIMPLIFY), "false");
}

static void tell_of_two(const struct trainer_settings *s)
{
	static const char *const means[] = {
		[TWO_DEVICE] = "no device times are taken meanwhile",
		[TWO_TIMES] = "its work counts to the times of the program",
	};
	const struct loader_command *command = s->l->command;

	bool nothing = s->l->c->steps.given && !s->l->c->steps.count && !s->l->c->steps.all;

	if (command && !command->take_over && s->d->two && !nothing)
		trainer_settings_say(s, "%s: its own profiler runs in these steps, too, and %s: ranktrace-run --take-over switches that one off and this one not",
				     s->d->of, means[s->d->two]);
}

/* Keys that the trainer has not. */
static void tell_of_unknown(const struct trainer_settings *s)
{
	const char *keys[KEYS_MAX + 1] = { NULL }, *near;
	unsigned int n = 0, i;
	char where[WHERE_SIZE];

	for (const struct trainer_key *k = trainer_key_rows; k->key; k++)
		if (k->keys == s->d->keys && n < KEYS_MAX)
			keys[n++] = k->key;
	for (const struct node *key = s->keys->first; key; key = key->next) {
		if (!tree_is_written(key) || (!(s->d->everything && !s->bare) && !trainer_is_profilers(key->key)))
			continue;
		for (i = 0; i < n && strcmp(keys[i], key->key); i++)
			;
		if (i < n)
			continue;
		near = word_nearest(key->key, keys);
		trainer_settings_where(s, key, where, sizeof(where));
		trainer_settings_say(s, near ? "%s is unknown to %s and left out: did you mean %s?" : "%s is unknown to %s and left out", where, s->d->of, near);
	}
}

/* Two keys of one meaning contradict each other. */
static int refuse_twins(struct trainer_settings *s)
{
	const struct node *n, *first = NULL;

	for (const struct trainer_key *k = trainer_key_rows; k->key; k++) {
		if (k->keys != s->d->keys || k->means != MEANS_STEPS)
			continue;
		n = tree_child(s->keys, k->key, strlen(k->key));
		if (!n || !n->origin)
			continue;
		if (first)
			return trainer_refuse(s, n, "%s is the same setting: keep one", first->key);
		first = n;
	}
	return 0;
}

typedef int (*step)(struct trainer_settings *s);

static int set_export(struct trainer_settings *s)
{
	return set_written(s, MEANS_EXPORT, OPTION_export_type);
}

static int set_path(struct trainer_settings *s)
{
	return set_written(s, MEANS_PATH, OPTION_save_path);
}

static int set_preset(struct trainer_settings *s)
{
	return *s->l->c->preset ? 0 : trainer_set(s, OPTION_preset, NULL, s->d->preset);
}

/* The tree itself, or what it is in. */
static int refuse_no_map(struct trainer_settings *s)
{
	const struct node *n = s->keys;
	char reason[256];

	for (size_t length = strlen(s->d->tree); !n && length; length--)
		if (!s->d->tree[length] || s->d->tree[length] == '.')
			n = tree_find(&s->tree, s->d->tree, length);
	snprintf(reason, sizeof(reason), "a mapping is meant: write %s.%s=true, or the like of it in a file", s->d->tree, trainer_key_of(s, MEANS_SWITCH)->key);
	return trainer_refuse(s, n, "%s", reason);
}

int trainer_settings_apply(struct trainer_settings *s)
{
	static const step steps[] = { refuse_twins, trainer_set_steps, trainer_set_ranks, set_level, set_contents, trainer_set_stage, trainer_set_roles,
				      set_analysis, set_export, set_simplification, set_path, set_preset };
	bool on = false, implied;
	int err;

	if (!s->keys || s->keys->shape != SHAPE_MAP)
		return refuse_no_map(s);
	tell_of_unknown(s);
	implied = is_implied(s);
	err = trainer_bool(s, MEANS_SWITCH, &on);
	if (err || !(on || implied))
		return err ? err : leave_off(s);
	if (implied)
		say_switch(s, "%s is not given, but what to record is: it counts as on");
	for (size_t i = 0; !err && i < sizeof(steps) / sizeof(steps[0]); i++)
		err = steps[i](s);
	if (!err)
		tell_of_two(s);
	return err;
}
