/* check_trainer_settings.c - what settings of trainers' own profilers come to: tests/data/trainer_settings.txt, case by case. */
#include <ctype.h>
#include "config/load/trainer_values.h"
#include "tests/lib/config_helpers.h"
#include "tests/lib/trainer_cases.h"

static char said[4096];
static const char *installed;
static char data_path[4096];

static void say(const char *line)
{
	snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s\n", line);
}

static const char *version(const char *package)
{
	(void)package;
	return installed;
}

/* The options that a trainer may set, as far as they are not as without one. */
static const char *what_it_comes_to(void)
{
	static const enum option_id ids[] = { OPTION_preset, OPTION_steps, OPTION_schedule, OPTION_ranks, OPTION_level, OPTION_contents, OPTION_discrete,
					      OPTION_roles, OPTION_analysis, OPTION_export_type, OPTION_data_simplification, OPTION_save_path };
	static char text[4096];
	static struct config unset;
	char one[1024], usual[1024], why[256];
	struct loader l;

	loader_begin(&l, &unset, why, sizeof(why));
	text[0] = '\0';
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		option_text(&config, ids[i], one, sizeof(one));
		option_text(&unset, ids[i], usual, sizeof(usual));
		if (strcmp(one, usual) || (ids[i] == OPTION_steps && config.steps.given) || (ids[i] == OPTION_ranks && config.ranks.given))
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s=%s", *text ? " " : "", options[ids[i]].key, one);
	}
	return text;
}

/* The words of a command, blanks between. */
static char **split(char *text)
{
	static char *words[64];
	size_t n = 0;

	for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n"))
		words[n++] = word;
	words[n] = NULL;
	return words;
}

static int load(struct trainer_case *c)
{
	struct loader_command command = { .say = say, .version = version, .take_over = true, .preset = c->preset };
	struct loader l;

	said[0] = '\0';
	installed = c->version;
	loader_begin(&l, &config, error, sizeof(error));
	l.command = &command;
	if (*c->dialect) {
		command.words = split(c->text);
		command.dialect = trainer_dialect(c->dialect, c->version);
		ck_assert_msg(command.dialect, "line %u: no dialect %s", c->line, c->dialect);
		return load_command(&l);
	}
	write_file(c->text, strlen(c->text));
	return load_yaml(&l, FILE_NAME, false);
}

START_TEST(settings_come_to_what_the_table_says)
{
	FILE *file = fopen(data_path, "r");
	static struct trainer_case c;
	unsigned int cases = 0, wrong = 0;

	ck_assert(file);
	forget_environment();
	for (; trainer_case_next(file, &c); cases++) {
		const char *came_to = load(&c) ? error : what_it_comes_to();

		if (!strcmp(came_to, c.comes_to) && !strcmp(said, c.said))
			continue;
		fprintf(stderr, "trainer_settings.txt:%u: came to\n%s\nnot\n%s\nand said\n%snot\n%s", c.line, came_to, c.comes_to, said, c.said);
		wrong++;
	}
	fclose(file);
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_ge(cases, 100);
}
END_TEST

/* ---- each cell has a case ---- */

#define ROWS 32
#define KEYS 128

static bool has_case[ROWS][KEYS];

/* Is a key written in a case? Flags have dashes for underscores, and may have two before them. */
static bool is_written(const char *text, const char *key)
{
	static char plain[sizeof(((struct trainer_case *)NULL)->text)];
	size_t length = strlen(key);

	snprintf(plain, sizeof(plain), "%s", text);
	for (char *c = plain; *c; c++)
		if (*c == '-')
			*c = c[1] == '-' || (c > plain && c[-1] == ' ') ? ' ' : '_';
	for (const char *c = strstr(plain, key); c; c = strstr(c + 1, key))
		if ((c == plain || !(isalnum((unsigned char)c[-1]) || c[-1] == '_')) && strchr(":= \n", c[length]))
			return true;
	return false;
}

/* NULL: of ranktrace's own or verl's files. */
static const struct trainer_dialect *whose(const struct trainer_case *c)
{
	struct loader_command command = { .say = say, .version = version, .preset = c->preset };
	const struct trainer_dialect *d = NULL;
	struct loader l;
	bool bare;

	if (*c->dialect)
		return trainer_dialect(c->dialect, c->version);
	loader_begin(&l, &config, error, sizeof(error));
	l.command = &command;
	return trainer_whose(&l, FILE_NAME, c->text, strlen(c->text), &d, &bare) ? NULL : d;
}

static void note_keys(const struct trainer_dialect *d, const char *text)
{
	ck_assert_int_lt(d - trainer_dialect_rows, ROWS);
	for (size_t k = 0; trainer_key_rows[k].key; k++) {
		ck_assert_uint_lt(k, KEYS);
		if (trainer_key_rows[k].keys == d->keys && is_written(text, trainer_key_rows[k].key))
			has_case[d - trainer_dialect_rows][k] = true;
	}
}

/* Cases that are refused say nothing of what a key comes to. */
START_TEST(each_key_of_each_dialect_has_a_case)
{
	FILE *file = fopen(data_path, "r");
	static struct trainer_case c, loaded;
	const struct trainer_dialect *d;
	unsigned int missing = 0;

	ck_assert(file);
	forget_environment();
	while (trainer_case_next(file, &c)) {
		d = whose(&c);
		loaded = c; /* its text is cut into words */
		if (d && !load(&loaded))
			note_keys(d, c.text);
	}
	fclose(file);
	for (d = trainer_dialect_rows; d->name; d++)
		for (size_t k = 0; trainer_key_rows[k].key; k++) {
			if (trainer_key_rows[k].keys != d->keys || has_case[d - trainer_dialect_rows][k])
				continue;
			fprintf(stderr, "trainer_settings.txt: no case of %s%s%s: %s\n", d->name, d->from ? " from " : "", d->from ? d->from : "", trainer_key_rows[k].key);
			missing++;
		}
	ck_assert_uint_eq(missing, 0);
}
END_TEST

/* ---- what is misspelt ---- */

/* A dialect of each list of keys, and how a command says one of its keys, wrong and right. */
static const struct {
	const char *name, *on, *typed, *meant;
} spoken[] = {
	[KEYS_SIIRL] = { "siirl", "profiler.enable=True", "profiler.%s=%s", "did you mean %s?\n" },
	[KEYS_FSDP2] = { "mindspeed-llm-fsdp2", "--training.profile", "--training.%s=%s", "did you mean --training.%s\n" },
	[KEYS_RL] = { "mindspeed-rl", "profiler_config.integrated.profile=True", "profiler_config.integrated.%s=%s", "did you mean %s?\n" },
	[KEYS_MINDSPEED] = { "mindspeed-llm", "--profile", "--%s=%s", "did you mean --%s\n" },
	[KEYS_MEGATRON] = { "megatron", "--profile", "--%s=%s", "did you mean --%s\n" },
};

/* Loads one word behind that which switches it on; key may be misspelt. */
static int load_word(enum trainer_keys keys, const char *key, const char *value)
{
	static struct trainer_case c;
	char word[256];

	snprintf(word, sizeof(word), spoken[keys].typed, key, value);
	snprintf(c.dialect, sizeof(c.dialect), "%s", spoken[keys].name);
	snprintf(c.text, sizeof(c.text), "%s %s", spoken[keys].on, word);
	if (keys >= KEYS_MINDSPEED) /* flags of words with dashes */
		for (char *p = strstr(c.text, " --"); *p && *p != '='; p++)
			*p = *p == '_' ? '-' : *p;
	return load(&c);
}

START_TEST(each_key_that_is_misspelt_is_answered_with_the_right_one)
{
	char wrong[64], meant[128];
	unsigned int cases = 0;

	forget_environment();
	for (const struct trainer_key *k = trainer_key_rows; k->key; k++, cases++) {
		snprintf(wrong, sizeof(wrong), "%s_x", k->key);
		load_word(k->keys, wrong, "1");
		snprintf(meant, sizeof(meant), spoken[k->keys].meant, k->key);
		for (char *p = k->keys >= KEYS_MINDSPEED ? meant : ""; *p; p++)
			*p = *p == '_' ? '-' : *p;
		ck_assert_msg(strstr(said, meant), "%s: %s said %s%s", spoken[k->keys].name, wrong, said, error);
	}
	ck_assert_uint_ge(cases, 60);
}
END_TEST

/* Any text will do, or nothing depends on it. */
static bool takes_any(const struct trainer_key *k)
{
	bool is_switch = k->initial && (!strcmp(k->initial, "false") || !strcmp(k->initial, "true"));

	switch (k->means) {
	case MEANS_PATH:
	case MEANS_OTHER:
	case MEANS_MARKERS:
	case MEANS_HOST:
	case MEANS_ROLES: /* without `discrete` */
		return true;
	default: /* flags of words with dashes are there, or not */
		return k->keys >= KEYS_MINDSPEED && (is_switch || k->means == MEANS_SIMPLIFY);
	}
}

START_TEST(each_value_that_is_none_is_answered_with_what_to_write)
{
	unsigned int cases = 0;

	forget_environment();
	for (const struct trainer_key *k = trainer_key_rows; k->key; k++) {
		if (takes_any(k))
			continue;
		ck_assert_msg(load_word(k->keys, k->key, "none") == -EINVAL && strstr(error, ": write "), "%s: %s said %s", spoken[k->keys].name, k->key, error);
		cases++;
	}
	ck_assert_uint_ge(cases, 35);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("trainer_settings");

	if (!realpath("tests/data/trainer_settings.txt", data_path))
		return 1;
	tcase_add_test(t, settings_come_to_what_the_table_says);
	tcase_add_test(t, each_key_of_each_dialect_has_a_case);
	tcase_add_test(t, each_key_that_is_misspelt_is_answered_with_the_right_one);
	tcase_add_test(t, each_value_that_is_none_is_answered_with_what_to_write);
	return run_cases("trainer_settings", t);
}
