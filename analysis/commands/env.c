/* env.c - `ranktrace env`: what ranktrace-run was told, as plain RANKTRACE_* variables. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/commands/commands.h"
#include "analysis/launch/options_text.h"
#include "analysis/launch/preset_choice.h"
#include "analysis/launch/program.h"
#include "analysis/launch/run_name.h"
#include "analysis/launch/trainer.h"
#include "analysis/launch/variables.h"
#include "analysis/launch/vendor.h"
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/option_words.h"
#include "config/load/load.h"

static const char usage[] =
	"Usage: ranktrace env [OPTION]...\n"
	"Prints the settings of a traced program as RANKTRACE_NAME=value lines for a shell.\n"
	"OPTIONs are those of ranktrace-run, which prints LD_PRELOAD too: ranktrace-run --print-env.\n"
	"  -h, --help   this text\n";

#define GIVEN_MAX 64

/* Numbers for getopt_long, which has letters for its own below them. */
enum extra {
	EXTRA_CONFIG = 256,
	EXTRA_PRINT_ENV,
	EXTRA_TAKE_OVER,
	EXTRA_NO_WAIT,
	EXTRA_VALUES_OF,
	EXTRA_MARKDOWN,
	EXTRA_MAN,
	EXTRA_VERSION,
	SETTINGS,	  /* and enum option_id */
	EXTRA_HELP = 'h', /* -h, too */
};

static const struct option extras[] = {
	{ "config", required_argument, NULL, EXTRA_CONFIG },
	{ "print-env", optional_argument, NULL, EXTRA_PRINT_ENV },
	{ "take-over", no_argument, NULL, EXTRA_TAKE_OVER },
	{ "no-wait", no_argument, NULL, EXTRA_NO_WAIT },
	{ "values-of", required_argument, NULL, EXTRA_VALUES_OF },
	{ "options-markdown", no_argument, NULL, EXTRA_MARKDOWN },
	{ "options-man", no_argument, NULL, EXTRA_MAN },
	{ "version", no_argument, NULL, EXTRA_VERSION },
	{ "help", no_argument, NULL, EXTRA_HELP },
};
#define EXTRAS (sizeof(extras) / sizeof(extras[0]))

struct env {
	struct config config;
	struct loader loader;
	struct loader_command command;
	char error[1400];
	const char *file; /* --config */
	bool script;	  /* the caller is ranktrace-run: it evaluates what we print */
	bool print_env;	  /* somebody else will start the processes */
	bool plain;	  /* who reads what we print takes quotes for letters */
	bool help;
	bool words_failed; /* the trainer's */
	unsigned int count;
	struct {
		enum option_id id;
		const char *flag, *text;
	} given[GIVEN_MAX];
};

/* In the order of flags: settings, options of our own, other spellings of settings, which no text names. */
static struct option long_options[OPTIONS + EXTRAS + OPTION_SPELLINGS + 1];
static char flags[OPTIONS + EXTRAS + OPTION_SPELLINGS][OPTION_NAME];
static unsigned int flags_named;

static struct option setting_option(const char *key, char flag[OPTION_NAME], enum option_id id)
{
	option_flag(key, flag);
	return (struct option){ flag + strlen("--"), required_argument, NULL, SETTINGS + (int)id };
}

static void make_long_options(void)
{
	unsigned int n = 0;

	for (unsigned int id = 0; id < OPTIONS; id++) {
		if (!options[id].help)
			continue;
		long_options[n] = setting_option(options[id].key, flags[n], id);
		n++;
	}
	for (unsigned int i = 0; i < EXTRAS; i++)
		long_options[n++] = extras[i];
	flags_named = n;
	for (const struct option_spelling *s = option_spellings; s->key; s++, n++)
		long_options[n] = setting_option(s->key, flags[n], s->id);
}

static bool is_bool(const char *name)
{
	char flag[OPTION_NAME];

	for (unsigned int id = 0; id < OPTIONS; id++) {
		option_flag(options[id].key, flag);
		if (options[id].help && options[id].type == &type_BOOL && !strcmp(flag + strlen("--"), name))
			return true;
	}
	return false;
}

/* getopt saw something that is no option of ours. */
static int unknown_option(struct env *e, const char *word)
{
	const char *names[OPTIONS + EXTRAS + 1] = { NULL }, *near;
	char name[OPTION_NAME];

	for (unsigned int i = 0; i < flags_named; i++)
		names[i] = long_options[i].name;
	snprintf(name, sizeof(name), "%s", word + strspn(word, "-"));
	name[strcspn(name, "=")] = '\0';
	if (!strncmp(name, "no-", strlen("no-")) && is_bool(name + strlen("no-")))
		return refuse(e->error, sizeof(e->error), "unknown option '%s': write --%s false", word, name + strlen("no-"));
	near = word_nearest(name, names);
	if (near)
		return refuse(e->error, sizeof(e->error), "unknown option '%s': write --%s", word,
			      near);
	return refuse(e->error, sizeof(e->error), "unknown option '%s': see ranktrace-run --help",
		      word);
}

static void own_help(FILE *out)
{
	fputs(usage, out);
}

static void values_of(FILE *out)
{
	options_choice(out, optarg);
}

/* What the script prints instead of running anything is printed by the shell that evaluates it. */
static void print_text(const struct env *e, int id)
{
	static void (*const texts[])(FILE *) = { values_of, options_markdown, options_man, options_version };
	void (*text)(FILE *) = id == EXTRA_HELP ? own_help : texts[id - EXTRA_VALUES_OF];

	if (!e->script) {
		text(stdout);
		return;
	}
	fputs("cat <<'ranktrace-text'\n", stdout);
	(id == EXTRA_HELP ? options_help : text)(stdout);
	fputs("ranktrace-text\nexit 0\n", stdout);
}

static int take_print_env(struct env *e)
{
	e->print_env = true;
	e->plain = optarg;
	if (optarg && strcmp(optarg, "plain"))
		return refuse(e->error, sizeof(e->error), "unknown --print-env=%s: use --print-env (for a shell) or "
							  "--print-env=plain (for docker --env-file)",
			      optarg);
	return 0;
}

static int give(struct env *e, enum option_id id, const char *flag, const char *text)
{
	if (e->count == GIVEN_MAX)
		return refuse(e->error, sizeof(e->error), "more than %d options", GIVEN_MAX);
	e->given[e->count].id = id;
	e->given[e->count].flag = flag;
	e->given[e->count++].text = text;
	return 0;
}

static int take_option(struct env *e, int id, const char *flag)
{
	if (id == EXTRA_CONFIG) {
		e->file = optarg;
	} else if (id == EXTRA_PRINT_ENV) {
		return take_print_env(e);
	} else if (id == EXTRA_TAKE_OVER) {
		e->command.take_over = true;
	} else if (id == EXTRA_NO_WAIT) {
		return give(e, OPTION_wait, "--no-wait", "false");
	} else if (id < SETTINGS) {
		print_text(e, id);
		e->help = true;
	} else {
		return give(e, (enum option_id)(id - SETTINGS), flag, optarg);
	}
	return 0;
}

/* id: what getopt has for the option. */
static int no_value(struct env *e, int id, const char *word)
{
	const char *own[OPTION_WORDS + 1], *const *choice = own;
	char known[512];

	own[0] = NULL;
	if (id >= SETTINGS)
		choice = option_choice((enum option_id)(id - SETTINGS), own);
	if (!*choice)
		return refuse(e->error, sizeof(e->error), "%s needs a value", word);
	words_join(known, sizeof(known), choice, "", " or ");
	return refuse(e->error, sizeof(e->error), "%s needs a value: write %s", word, known);
}

static int read_arguments(struct env *e, int argc, char **argv)
{
	const char *word;
	int id, index = 0, err = 0;

	make_long_options();
	opterr = 0;
	optind = 0; /* afresh */
	while (!err && !e->help) {
		word = argv[optind ? optind : 1];
		id = getopt_long(argc, argv, "+:h", long_options, &index);
		if (id == -1)
			return 0;
		if (id == '?')
			return unknown_option(e, word);
		if (id == ':')
			return no_value(e, optopt, word);
		if (optarg && optarg == argv[optind - 1] && !strncmp(optarg, "--", 2))
			return no_value(e, id, word);
		err = take_option(e, id, flags[index]);
	}
	return err;
}

/* An empty variable is an unset one, but who types an option means something by it. */
static int set_given(struct env *e, enum option_id id, const char *flag, const char *text)
{
	const char *initial = options[id].initial;

	if (!*text && !options[id].type->empty && initial && *initial)
		return refuse(e->error, sizeof(e->error), "%s: the value is empty: write one, or leave %s out", flag, flag);
	return loader_set(&e->loader, id, flag, text);
}

static void say(const char *line)
{
	fprintf(stderr, "ranktrace: %s\n", line);
}

/* As it was typed, or stands in the environment. */
static const char *wanted_preset(const struct env *e)
{
	const char *text = getenv("RANKTRACE_PRESET");

	for (unsigned int i = 0; i < e->count; i++)
		if (e->given[i].id == OPTION_preset)
			text = e->given[i].text;
	return text ? text : "";
}

/* Who starts the processes himself may give the command all the same. */
static void look_at_command(struct env *e, char *const *command)
{
	e->command.say = say;
	e->command.version = preset_version;
	e->loader.command = &e->command;
	preset_wanted(wanted_preset(e));
	if (!e->script || !command[0])
		return;
	preset_command(command);
	trainer_find(&e->command, command);
}

/* A command is changed only where it is a trainer's that is known. */
static int check_take_over(struct env *e)
{
	if (!e->command.take_over || e->command.words)
		return 0;
	return refuse(e->error, sizeof(e->error), "%s",
		      e->print_env ? "--take-over changes the command, which --print-env has none of: add global_profiler.tool=null to it"
				   : "--take-over: no trainer of verl's is in the command: write its python -m verl.trainer.main_ppo here, "
				     "or add global_profiler.tool=null to it");
}

/* They were the trainer's before they were ours: the job runs, and what they wanted is not guessed. */
static void leave_words_out(struct env *e)
{
	fprintf(stderr, "ranktrace: %s; without --steps nothing is recorded, the job runs on\n", e->error);
	loader_begin(&e->loader, &e->config, e->error, sizeof(e->error));
	e->loader.command = &e->command;
	e->words_failed = true;
}

static int load_layers(struct env *e, char *const *command)
{
	const char *file = e->file ? e->file : getenv("RANKTRACE_CONFIG");
	char line[256];
	int err = 0;

	loader_begin(&e->loader, &e->config, e->error, sizeof(e->error));
	look_at_command(e, command);
	err = check_take_over(e);
	if (!err && file && *file && (e->file || !getenv("RANKTRACE_RESOLVED")))
		err = load_yaml(&e->loader, file, true);
	else if (!err && load_command(&e->loader))
		leave_words_out(e);
	if (!err)
		err = load_environment(&e->loader);
	loader_layer(&e->loader);
	for (unsigned int i = 0; !err && i < e->count; i++)
		err = set_given(e, e->given[i].id, e->given[i].flag, e->given[i].text);
	if (!err && config_stray_variable(line, sizeof(line)))
		fprintf(stderr, "ranktrace: %s\n", line);
	return err ? err : loader_finish(&e->loader);
}

/* Told nothing it records everything: somebody typed it in order to see something. */
static void select_something(struct config *c, bool words_failed)
{
	if (!c->enable || c->steps.given)
		return;
	if (words_failed) {
		c->enable = false;
		return;
	}
	c->steps.given = c->steps.all = true;
	if (c->ranks.given) {
		fputs("ranktrace: no steps given: recording all steps (to select: --steps 2,4)\n",
		      stderr);
		return;
	}
	c->ranks.given = c->ranks.all = true;
	fputs("ranktrace: no steps given: recording all steps of all ranks "
	      "(to select: --steps 2,4 --ranks 0)\n",
	      stderr);
}

/* Most people count from 0, counted steps do not: told before a run that then records nothing. */
static void tell_of_step_zero(const struct config *c)
{
	bool range = c->step_start >= 0 || c->step_end >= 0;

	if (!range && c->steps.count && !c->steps.range[0].first && strcmp(c->step_source, "api"))
		fputs("ranktrace: step 0 exists only if the trainer calls ranktrace_step(0); "
		      "counted steps start at 1: write --steps 1 for the first\n",
		      stderr);
}

static void tell_of_no_analysis(const struct env *e)
{
	for (unsigned int i = 0; !e->config.analysis && i < e->count; i++)
		if (e->given[i].id == OPTION_export_type || e->given[i].id == OPTION_wait)
			fprintf(stderr, "ranktrace: %s has no effect without --analysis true\n", e->given[i].flag);
}

/* Most verl commands stand in a script, whose words are not the command's. */
static void tell_of_unseen_words(const struct env *e, char *const *command)
{
	if (e->script && !e->print_env && !e->command.words && !e->config.steps.given &&
	    (!strcmp(e->config.preset, "verl") || trainer_is_mentioned(command)))
		fputs("ranktrace: no trainer of verl's is in the command, so the settings of its own profiler are not seen: "
		      "put ranktrace-run before python, or give a file, --config FILE\n",
		      stderr);
}

/* For ranktrace-run: how many words were ours, which sanitizer wants to be first, and what else is preloaded. */
static void print_for_script(const struct env *e, const char *command)
{
	const char *library = getenv("RANKTRACE_LIBRARY");
	char preloads[8192] = "";
	struct program p = { 0 };

	if (command)
		program_inspect(&p, command);
	if (!p.sanitizer[0] && library)
		program_inspect(&p, library);
	printf("ranktrace_shift=%d\nranktrace_print_env=%s\nranktrace_sanitizer=", optind - 1,
	       !e->print_env ? "" : e->plain ? "plain"
					     : "shell");
	variables_put_value(stdout, p.sanitizer, false);
	if (library)
		launch_preloads(&e->config, library, preloads, sizeof(preloads));
	fputs("\nranktrace_preloads=", stdout);
	variables_put_value(stdout, preloads, false);
	fputs("\nranktrace_more_words=", stdout);
	if (e->command.take_over)
		variables_put_value(stdout, e->command.off_words, false);
	putchar('\n');
}

int cmd_env(int argc, char **argv)
{
	static struct env e;
	bool script = argc > 1 && !strcmp(argv[1], "--script");
	int err;

	e = (struct env){ .script = script };
	argc -= script;
	argv += script;
	err = read_arguments(&e, argc, argv);
	if (!err && e.help)
		return 0;
	if (!err)
		err = load_layers(&e, argv + optind);
	if (!err && !e.print_env && e.script && optind >= argc)
		err = refuse(e.error, sizeof(e.error),
			     "no command: ranktrace-run [OPTION]... [--] COMMAND [ARGUMENT]...");
	if (err) {
		fprintf(stderr, "ranktrace: %s\n", e.error);
		return 2;
	}
	tell_of_unseen_words(&e, argv + optind);
	select_something(&e.config, e.words_failed);
	tell_of_step_zero(&e.config);
	tell_of_no_analysis(&e);
	if (e.script && argv[optind])
		preset_choose(&e.config);
	if (e.script)
		launch_before_start(&e.config, argv + optind);
	run_name_choose(&e.config, !e.print_env);
	if (e.script)
		print_for_script(&e, argv[optind]);
	variables_print(&e.config, e.plain && !e.script, e.script);
	return 0;
}
