/* check_trainer_settings.c - what settings of trainers' own profilers come to: tests/data/trainer_settings.txt, case by case. */
#include "config/load/trainer_settings.h"
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

int main(void)
{
	TCase *t = tcase_create("trainer_settings");

	if (!realpath("tests/data/trainer_settings.txt", data_path))
		return 1;
	tcase_add_test(t, settings_come_to_what_the_table_says);
	return run_cases("trainer_settings", t);
}
