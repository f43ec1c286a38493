/* arguments.h - the command line of a command that reads traces: --steps, --ranks, --roles, --help, options of its own, paths. */
#pragma once
#include <getopt.h>
#include <stdio.h>

#include "analysis/trace/choice.h"

/* An option of a command's own. take: 0, or EXIT_USAGE with the reason on stderr. */
struct argument {
	const char *name; /* NULL: behind the last one */
	char letter;
	int (*take)(void *context, const char *value);
	bool plain;		   /* it has no value: take gets NULL */
	const char *const *choice; /* words that its value may be, or have in a list, NULL at the end; NULL: numbers, paths and the like */
};

struct arguments {
	void (*usage)(FILE *to);
	const struct argument *own; /* NULL: none */
	void *context;		    /* of theirs */
	struct choice choice;
	char **paths;
	int count;
};

#define ARGUMENTS_GO_ON -1

/* ARGUMENTS_GO_ON, or the exit status: something was wrong, which is on stderr, or help was asked for and is on stdout. */
int arguments_read(struct arguments *a, int argc, char **argv);

/* The same where nothing can be done without a path. */
int arguments_read_with_paths(struct arguments *a, int argc, char **argv);

/*
 * getopt_long(), but for what it says: an option that is not there is answered in one line, by the nearest one that
 * is. Letters without a colon in front. '?': it was said; the status is EXIT_USAGE.
 */
int arguments_next(int argc, char **argv, const char *letters, const struct option *list);

/* That a word is no option of ours. Returns EXIT_USAGE. */
int arguments_unknown(const char *word, const struct option *list);

/* What is said where no path was named. Returns EXIT_USAGE. */
int arguments_no_path(const struct arguments *a);

/* What --format takes where it is text, the default, or another: is it the other? 0, or EXIT_USAGE with the reason on stderr. */
extern const char *const arguments_text_or_json[], *const arguments_text_or_jsonl[];
int arguments_take_format(bool *other, const char *value, const char *const *formats);

/* How many rows --top shows: from 1 on. */
int arguments_take_top(size_t *top, const char *value);

/* How many processes go on at a time, by --jobs. */
int arguments_take_jobs(unsigned int *jobs, const char *value);

/* --strip-paths, of commands that show stacks. */
int arguments_take_strip(void *context, const char *value);
#define ARGUMENTS_STRIP                                              \
	{                                                            \
		"strip-paths", 'p', arguments_take_strip, true, NULL \
	}
#define ARGUMENTS_STRIP_HELP(option) \
	option "of files in stacks the last folder and the name only: train/model.py\n"

/* An option's value that is none of those known. Returns EXIT_USAGE. */
int arguments_refuse(const char *option, const char *word, const char *known);

/* Numbers, for an option without its dashes. Returns 0, or EXIT_USAGE with the reason on stderr. may_be_unknown: ranks that nobody knows are some. */
int arguments_take_list(struct selection *list, const char *option, const char *text, bool may_be_unknown);

/* As arguments_refuse() of a list of words, NULL at the end: the nearest one is told, or all. */
int arguments_refuse_word(const char *option, const char *word, const char *const *choice);
