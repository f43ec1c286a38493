#include "analysis/launch/command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "analysis/launch/options_text.h"
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/option_words.h"

static const char usage[] =
	"Usage: ranktrace env [OPTION]...\n"
	"Prints the settings of a traced program as RANKTRACE_NAME=value lines for a shell.\n"
	"OPTIONs are those of ranktrace-run, which prints LD_PRELOAD too: ranktrace-run --print-env.\n"
	"  -h, --help   this text\n";

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
static int unknown_option(const char *word, char *why, size_t size)
{
	const char *names[OPTIONS + EXTRAS + 1] = { NULL }, *near;
	char name[OPTION_NAME];

	for (unsigned int i = 0; i < flags_named; i++)
		names[i] = long_options[i].name;
	snprintf(name, sizeof(name), "%s", word + strspn(word, "-"));
	name[strcspn(name, "=")] = '\0';
	if (!strncmp(name, "no-", strlen("no-")) && is_bool(name + strlen("no-")))
		return refuse(why, size, "unknown option '%s': write --%s false", word, name + strlen("no-"));
	near = word_nearest(name, names);
	if (near)
		return refuse(why, size, "unknown option '%s': write --%s", word,
			      near);
	return refuse(why, size, "unknown option '%s': see ranktrace-run --help",
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
static void print_text(const struct command_line *l, int id)
{
	static void (*const texts[])(FILE *) = { values_of, options_markdown, options_man, options_version };
	void (*text)(FILE *) = id == EXTRA_HELP ? own_help : texts[id - EXTRA_VALUES_OF];

	if (!l->script) {
		text(stdout);
		return;
	}
	fputs("cat <<'ranktrace-text'\n", stdout);
	(id == EXTRA_HELP ? options_help : text)(stdout);
	fputs("ranktrace-text\nexit 0\n", stdout);
}

static int take_print_env(struct command_line *l, char *why, size_t size)
{
	l->print_env = true;
	l->plain = optarg;
	if (optarg && strcmp(optarg, "plain"))
		return refuse(why, size, "unknown --print-env=%s: use --print-env (for a shell) or "
					 "--print-env=plain (for docker --env-file)",
			      optarg);
	return 0;
}

static int give(struct command_line *l, enum option_id id, const char *flag, const char *text, char *why, size_t size)
{
	if (l->count == GIVEN_MAX)
		return refuse(why, size, "more than %d options", GIVEN_MAX);
	l->given[l->count].id = id;
	l->given[l->count].flag = flag;
	l->given[l->count++].text = text;
	return 0;
}

static int take_option(struct command_line *l, int id, const char *flag, char *why, size_t size)
{
	if (id == EXTRA_CONFIG) {
		l->file = optarg;
	} else if (id == EXTRA_PRINT_ENV) {
		return take_print_env(l, why, size);
	} else if (id == EXTRA_TAKE_OVER) {
		l->take_over = true;
	} else if (id == EXTRA_NO_WAIT) {
		return give(l, OPTION_wait, "--no-wait", "false", why, size);
	} else if (id < SETTINGS) {
		print_text(l, id);
		l->help = true;
	} else {
		return give(l, (enum option_id)(id - SETTINGS), flag, optarg, why, size);
	}
	return 0;
}

/* id: what getopt has for the option. */
static int no_value(int id, const char *word, char *why, size_t size)
{
	const char *own[OPTION_WORDS + 1], *const *choice = own;
	char known[512];

	own[0] = NULL;
	if (id >= SETTINGS)
		choice = option_choice((enum option_id)(id - SETTINGS), own);
	if (!*choice)
		return refuse(why, size, "%s needs a value", word);
	words_join(known, sizeof(known), choice, "", " or ");
	return refuse(why, size, "%s needs a value: write %s", word, known);
}

int command_line_read(struct command_line *l, int argc, char **argv, char *why, size_t size)
{
	const char *word;
	int id, index = 0, err = 0;

	make_long_options();
	opterr = 0;
	optind = 0; /* afresh */
	while (!err && !l->help) {
		word = argv[optind ? optind : 1];
		id = getopt_long(argc, argv, "+:h", long_options, &index);
		if (id == -1)
			break;
		if (id == '?')
			return unknown_option(word, why, size);
		if (id == ':')
			return no_value(optopt, word, why, size);
		if (optarg && optarg == argv[optind - 1] && !strncmp(optarg, "--", 2))
			return no_value(id, word, why, size);
		err = take_option(l, id, flags[index], why, size);
	}
	l->command = optind;
	return err;
}
