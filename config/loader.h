/*
 * loader.h - settings arrive in layers: defaults, YAML and a trainer's own words, environment, options of
 * ranktrace-run. A later layer wins; contradictions inside one layer are errors. config_load() runs the first three.
 */
#pragma once
#include "config/base/bits.h"
#include "config/option.h"

#define WHERE_SIZE 1152 /* "<path of the file>:<line>: <key>" */

struct trainer_dialect;

#define LOADER_TOLD 1024

/* What a trainer's settings selected, as texts of options, whatever was said besides. */
struct loader_told {
	const struct trainer_dialect *dialect; /* NULL: none were read */
	bool flags;			       /* they are words of its command, with dashes */
	char steps[LOADER_TOLD], schedule[LOADER_TOLD], ranks[LOADER_TOLD], roles[LOADER_TOLD];
};

/* What the launcher knows of a trainer's command, and a traced process does not. */
struct loader_command {
	char *const *words;		       /* the trainer's settings, NULL at the end; NULL: no trainer is in it */
	const struct trainer_dialect *dialect; /* whose they are; NULL: verl's */
	const char *preset;		       /* that was typed; NULL: none */
	const char *config_file;	       /* which those name; NULL: none */
	bool take_over;			       /* the trainer's own profiler will be switched off */

	/* Why nobody can tell what the words mean; empty: it can be told. */
	char problem[512];
	bool in_shell_line; /* they are in a word of the command, and none can be added to them */

	/* The version of a package that the command would import; NULL: it cannot be told. */
	const char *(*version)(const char *package);
	bool (*is_there)(const char *package); /* of whatever version */

	/* The package whose version says what the settings mean, and cannot be told: they are read as the newest's; NULL: none. */
	const char *untold;

	/* Where it is kept; NULL: nobody asks. */
	struct loader_told *told;

	/* Says a line to who typed the command. */
	void (*say)(const char *line);

	/* Words that switch the trainer's own profiler off, blanks between; the reader of its settings adds what they need besides. */
	char off_words[256];
};

struct loader {
	struct config *c;
	char *error; /* the line that the caller will print */
	size_t size;
	struct loader_command *command;	     /* NULL: this is a traced process */
	uint64_t given[BITS_WORDS(OPTIONS)]; /* options that were said in this layer */
	bool trainers_roles;		     /* what is said of roles is a trainer's own settings */
	bool trainers_schedule;		     /* and so is the schedule, which says what a list of steps would */
	char range_where[WHERE_SIZE];	     /* who last said step_start or step_end */
	char path_where[WHERE_SIZE];	     /* who last said save_path; empty: nobody */
};

/* Sets the defaults. */
void loader_begin(struct loader *l, struct config *c, char *error, size_t size);

/* Begins a layer. */
void loader_layer(struct loader *l);

/*
 * One value; where begins a complaint: "RANKTRACE_STEPS", "--steps", "profile.yaml:3: steps". Returns 0, or
 * -EINVAL with a line in error.
 */
int loader_set(struct loader *l, enum option_id id, const char *where, const char *text);

/* Folds step_start and step_end into steps, makes save_path absolute, checks what needs both. */
int loader_finish(struct loader *l);
