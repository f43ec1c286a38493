/* command_line.h - ranktrace-run's options as they were typed: settings, and what only the launcher is told. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "config/option.h"

#define GIVEN_MAX 64

struct command_line {
	bool script;	/* the caller is ranktrace-run, which evaluates what is printed */
	bool print_env; /* somebody else will start the processes */
	bool plain;	/* who reads what is printed takes quotes for letters */
	bool take_over;
	bool help;	  /* a text was asked for, and has been printed */
	const char *file; /* --config */
	int command;	  /* its place in argv: the first word that is no option of ours */
	unsigned int count;
	struct {
		enum option_id id;
		const char *flag, *text;
	} given[GIVEN_MAX]; /* settings */
};

/* Reads argv behind its first word. 0, or -EINVAL with the reason in why. */
int command_line_read(struct command_line *l, int argc, char **argv, char *why, size_t size);
