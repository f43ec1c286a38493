/* ctl.c - `ranktrace ctl`: starts and stops recording in processes that run, and says where they are. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/ctl/requests.h"
#include "analysis/ctl/status.h"
#include "config/base/number.h"

/* ACTION(name, its words in front of PATH, arguments, help) */
#define ACTIONS(ACTION)                                                                                                                        \
	ACTION(start, 0, " [--steps N] [--align K] [--role R]", "records N steps (unset: until a stop) from the next that is a multiple of K") \
	ACTION(stop, 0, "", "ends what is recorded with the step that it is in")                                                               \
	ACTION(mark, 1, " TEXT", "puts TEXT into what is recorded, or is recorded next, as a stage of no length")                              \
	ACTION(status, 0, "", "says of each process its step, stage, window, losses, and the call that it hangs in")

static const struct action {
	const char *name;
	int words;
	const char *arguments, *help;
	bool (*run)(struct asked *c);
} actions[] = {
#define ACTION(name, words, arguments, help) { #name, words, arguments, help, asked_##name },
	ACTIONS(ACTION)
#undef ACTION
};
#define ACTION_COUNT (sizeof(actions) / sizeof(actions[0]))

static int usage(FILE *out)
{
	fputs("Usage: ranktrace ctl ACTION [OPTION]... [PATH]\n"
	      "Asks processes that run with on_demand. PATH is a save_path, or the directory of a job;\n"
	      "without it all processes of yours on this host are meant.\n",
	      out);
	for (size_t i = 0; i < ACTION_COUNT; i++)
		fprintf(out, "  %s%s\n        %s\n", actions[i].name, actions[i].arguments, actions[i].help);
	fputs("  -s, --steps N      so many steps; unset: until ranktrace ctl stop\n"
	      "  -a, --align K      the first one is a multiple of K (1), so that hosts agree\n"
	      "  -R, --role ROLE    only processes that have entered a stage of this role; where stages have\n"
	      "                     files of their own, only stages of this role\n"
	      "  -t, --at STEP      not before this step, or for a stop: with this one, or at once where it is over;\n"
	      "                     unset: as the processes of this host are\n"
	      "  -S, --shared       processes of other hosts too, that were started with on_demand_shared: by a\n"
	      "                     file in the folder of the job, PATH\n"
	      "  -p, --pid PID      this process only\n"
	      "  -h, --help         this text\n"
	      "Exit status: 0 done, 1 not all, or no process, 2 wrong usage.\n",
	      out);
	return out == stdout ? 0 : EXIT_USAGE;
}

#define A_NUMBER "a number from 1 to 2^52"
#define HOW_MANY "how many steps, from 1 to 2^52 (the first one is --at STEP)"

static const struct option options[] = {
	{ "steps", required_argument, NULL, 's' },
	{ "step", required_argument, NULL, '1' }, /* else it would be short for --steps, which counts here */
	{ "align", required_argument, NULL, 'a' },
	{ "at", required_argument, NULL, 't' },
	{ "shared", no_argument, NULL, 'S' },
	{ "role", required_argument, NULL, 'R' },
	{ "pid", required_argument, NULL, 'p' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int take_number(const char *option, const char *text, int64_t most, const char *what, uint64_t *n)
{
	const char *end = text;
	int64_t number = 0;

	if (!number_read(&end, &number) || *end || !number || number > most)
		return arguments_refuse(option, text, what);
	*n = (uint64_t)number;
	return 0;
}

static int take(struct asked *c, int letter)
{
	uint64_t pid = 0;
	int rc;

	switch (letter) {
	case 's':
		return take_number("--steps", optarg, NUMBER_MAX / 2, HOW_MANY, &c->steps);
	case '1':
		return arguments_refuse("option", "--step", "--at STEP for where it begins, --steps N for how many");
	case 'a':
		return take_number("--align", optarg, NUMBER_MAX / 2, A_NUMBER, &c->align);
	case 't':
		return take_number("--at", optarg, NUMBER_MAX / 2, A_NUMBER, &c->at);
	case 'S':
		c->shared = true;
		return 0;
	case 'p':
		rc = take_number("--pid", optarg, INT32_MAX, "a number from 1 to 2^31", &pid);
		c->pid = (uint32_t)pid;
		return rc;
	case 'R':
		c->role = optarg;
		return *optarg && strlen(optarg) < ROLE_HEARD ? 0 : arguments_refuse("--role", optarg, "the name of a stage or of a role, as actor");
	default:
		return EXIT_USAGE; /* which was said */
	}
}

static const struct action *action_of(const char *name)
{
	const char *names[ACTION_COUNT + 1] = { NULL };

	for (size_t i = 0; i < ACTION_COUNT; i++) {
		names[i] = actions[i].name;
		if (!strcmp(name, names[i]))
			return &actions[i];
	}
	arguments_refuse_word("action", name, names);
	return NULL;
}

/* What it takes, and a PATH perhaps. False: it was said. */
static bool words_fit(const struct action *a, char **words, int count)
{
	if (count < a->words)
		fprintf(stderr, "ranktrace: no TEXT given: ranktrace ctl %s 'learning rate halved'\n", a->name);
	else if (count > a->words + 1)
		fprintf(stderr, "ranktrace: '%.64s' is one word too many: quote a TEXT, and give one PATH\n", words[a->words + 1]);
	else
		return !a->words || (*words[0] && strlen(words[0]) < ROLE_HEARD) ||
		       !arguments_refuse("TEXT", words[0], "a text of 1 to 55 bytes");
	usage(stderr);
	return false;
}

/* For a shell that completes. */
static int print_actions(void)
{
	for (size_t i = 0; i < ACTION_COUNT; i++)
		puts(actions[i].name);
	return 0;
}

int cmd_ctl(int argc, char **argv)
{
	struct asked c = { .align = 1 };
	const struct action *action;
	char *real = NULL, **words;
	int letter, rc = 0;

	if (argc == 2 && !strcmp(argv[1], "--values-of="))
		return print_actions();
	while (!rc && (letter = arguments_next(argc, argv, "s:a:t:SR:p:h", options)) != -1) {
		if (letter == 'h')
			return usage(stdout);
		rc = take(&c, letter);
	}
	if (rc)
		return rc;
	if (optind == argc)
		return usage(stderr);
	action = action_of(argv[optind]);
	if (!action)
		return EXIT_USAGE;
	words = argv + optind + 1;
	if (!words_fit(action, words, argc - optind - 1))
		return EXIT_USAGE;
	c.text = words[0];
	if (words[action->words]) {
		real = realpath(words[action->words], NULL);
		c.path = real ? real : words[action->words];
	}
	asked_find(&c);
	rc = action->run(&c) ? 0 : EXIT_LOST;
	asked_forget(&c);
	free(real);
	return rc;
}
