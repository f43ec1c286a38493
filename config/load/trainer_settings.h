/* trainer_settings.h - settings of trainers' own profilers, as trainer_settings.def has them: in files, in words of a command. */
#pragma once
#include <stdbool.h>
#include "config/load/tree.h"

enum trainer_keys {
	KEYS_SIIRL,
	KEYS_FSDP2,
	KEYS_RL,
	KEYS_MINDSPEED,
	KEYS_MEGATRON
};

enum trainer_meaning {
	MEANS_SWITCH,
	MEANS_STEPS, /* a list */
	MEANS_START, /* or a range, its end not included */
	MEANS_END,
	MEANS_RANKS,
	MEANS_ALL_RANKS,
	MEANS_LEVEL,
	MEANS_DEVICE,
	MEANS_HOST, /* which is always recorded */
	MEANS_MEMORY,
	MEANS_SHAPES,
	MEANS_MODULE, /* who asked for a call, in Python */
	MEANS_STACK,  /* and in native code */
	MEANS_DISCRETE,
	MEANS_ROLES,
	MEANS_STAGE,   /* or several, each in a file of its own */
	MEANS_MARKERS, /* which are always recorded */
	MEANS_ANALYSIS,
	MEANS_EXPORT,
	MEANS_SIMPLIFY,
	MEANS_PATH,
	MEANS_OTHER
};

/* How a command says it. */
enum trainer_words {
	WORDS_DOTS,	    /* a.b=v */
	WORDS_FLAGS,	    /* --profile-ranks 0 1 */
	WORDS_DOTTED_FLAGS, /* --training.profile_ranks 0 1, and the beginnings of such */
};

/* Which ranks a list of none, null or -1 means. */
enum trainer_ranks {
	RANKS_REFUSED,
	RANKS_NOBODY,
	RANKS_ALL,
	RANKS_ALL_ALONE, /* of -1: all, if nothing stands beside it */
	RANKS_ZERO,
	RANKS_DEFAULT,
};

/* What an end means that is not behind the start. */
enum trainer_end {
	END_REFUSED,
	END_ONE_STEP,
	END_OPEN, /* -1 alone; others are refused */
};

/* What the trainer's own profiler does beside this one. */
enum trainer_two {
	TWO_NOTHING,
	TWO_DEVICE, /* no device times while it runs */
	TWO_TIMES,  /* its work counts to the program's */
};

struct trainer_dialect {
	const char *name, *of, *preset, *package;
	const char *from, *before; /* versions of the package; NULL: the first, and all that come */
	const char *tree;	   /* where the keys are; NULL: at the top */
	const char *alone;	   /* a key that tells whose they are where they are at the top */
	const char *ranks;	   /* if nobody says which */
	const char *to_all;	   /* what to write for all, where -1 does not say so */
	const char *off;	   /* the words that switch the trainer's own profiler off */
	enum trainer_keys keys;
	enum trainer_words words;
	enum trainer_ranks minus_1, empty, null;
	enum trainer_end end;
	enum trainer_two two;
	int least;	    /* the first number that a start may have */
	int shift;	    /* from its numbers to those of the preset; since the process began: to those from 0 */
	bool since_process; /* steps are counted since the process began */
	bool implied;	    /* who says which steps or stages means that it is on */
	bool everything;    /* in the tree is the profiler's; else what begins with `profile` */
	bool dashes;	    /* in a key are underscores */
	bool all_word;	    /* ranks may be the word all */
	bool stageless;	    /* stages are read past */
};

/* A NULL name at the end. */
extern const struct trainer_dialect trainer_dialect_rows[];

/* The row of that name for a version; NULL or "": the newest. NULL: there is none. */
const struct trainer_dialect *trainer_dialect(const char *name, const char *version);

/*
 * The same for the version that the command would import. It is asked for, which takes a Python's time, only where it changes what is
 * meant; that it cannot be told then is noted in the command.
 */
const struct trainer_dialect *trainer_dialect_there(struct loader_command *c, const char *name);

/* Where no file is given: what the command's words say. 0, or -EINVAL with a line in the loader's error. */
int trainer_settings_words(struct loader *l);
