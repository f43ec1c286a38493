/* main.c - `ranktrace COMMAND`: the table of commands, made from commands.def. */
#include <stdio.h>
#include <string.h>

#include "analysis/commands/commands.h"
#include "config/base/words.h"

#ifndef RANKTRACE_VERSION
#define RANKTRACE_VERSION "unknown"
#endif

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
#define COMMAND(name, help) { #name, cmd_##name, help },
#include "analysis/commands/commands.def"
#undef COMMAND
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void help(FILE *to)
{
	fprintf(to, "Usage: ranktrace COMMAND [OPTION]... [PATH]...\n\nCommands:\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].help);
	fprintf(to, "\nA PATH is a trace file or a folder with trace files. "
		    "`ranktrace COMMAND --help` says more.\n"
		    "To record, run: ranktrace-run [OPTION]... -- PROGRAM [ARGUMENT]...\n"
		    "Exit status: 0 complete, 1 something was lost or nothing was found, "
		    "2 wrong usage.\n");
}

static int unknown(const char *name)
{
	const char *names[COMMANDS + 1] = { NULL }, *near;

	for (size_t i = 0; i < COMMANDS; i++)
		names[i] = commands[i].name;
	near = word_nearest(name, names);
	fprintf(stderr, "ranktrace: %s: no such command: %s%s\n", name, near ? "write ranktrace " : "ranktrace --help lists them; to record, run ranktrace-run",
		near ? near : "");
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	static char own_name[] = "ranktrace";
	const char *name = argc > 1 ? argv[1] : "";
	char *help_of[] = { argv[0], argc > 2 ? argv[2] : NULL, "--help", NULL };

	if (!strcmp(name, "help") && argc > 2) {
		name = argv[2];
		argc = 3;
		argv = help_of;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
		help(stdout);
		return 0;
	}
	if (!strcmp(name, "--version")) {
		printf("ranktrace %s\n", RANKTRACE_VERSION);
		return 0;
	}
	for (size_t i = 0; i < COMMANDS; i++) {
		if (!strcmp(name, commands[i].name)) {
			argv[1] = own_name; /* as which getopt complains */
			return commands[i].run(argc - 1, argv + 1);
		}
	}
	if (*name)
		return unknown(name);
	help(stderr);
	return EXIT_USAGE;
}
