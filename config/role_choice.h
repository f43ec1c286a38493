/*
 * role_choice.h - settings of their own for the stages of a role: actor{ranks=0 8,level=level1};ref{enable=false}. Where some are
 * given, stages of other roles are not recorded.
 */
#pragma once
#include "config/types.h"

#define ROLE_CHOICES 16 /* at most so many are given at once */
#define ROLE_NAME    64

/* What may be said of a role, as the options of the same name say it of all; and whether it is recorded, and in which replicas of it. */
#define ROLE_KEYS(KEY)              \
	KEY(enable, BOOL)           \
	KEY(all_ranks, BOOL)        \
	KEY(ranks, NUMBERS)         \
	KEY(replica_ranks, NUMBERS) \
	KEY(level, LEVEL)           \
	KEY(contents, CONTENTS)     \
	KEY(discrete, BOOL)         \
	KEY(schedule, SCHEDULE)     \
	KEY(analysis, BOOL)

enum role_key {
#define KEY(key, type) ROLE_KEY_##key,
	ROLE_KEYS(KEY)
#undef KEY
};

/* Ranks that were not given are all; what else was not given is as for all roles. */
struct role_choice {
	char role[ROLE_NAME];
	unsigned int given; /* 1 << enum role_key */
#define KEY(key, type) FIELD_##type(key)
	ROLE_KEYS(KEY)
#undef KEY
};

struct role_choices {
	unsigned int count;
	struct role_choice list[ROLE_CHOICES];
};

/* The names of ROLE_KEYS, NULL at the end. */
extern const char *const role_keys[];

static inline bool role_says(const struct role_choice *c, enum role_key key)
{
	return c->given >> key & 1;
}

/* Is a stage of this name that role's? It has the name, belongs to it (roles.def), or begins with it and a '_'. */
bool role_has_stage(const char *role, const char *stage);

/* A stage whose name ends in _validate is recorded inside steps only where it is named. */
bool role_is_validation(const char *stage);

/* Of the role of a stage: of that very name, else the one with the longest name. NULL: none. */
const struct role_choice *role_choice_of(const struct role_choices *choices, const char *stage);

/* Forgets what was said of that key of each role. */
void role_choices_forget(struct role_choices *choices, enum role_key key);

/* Reads `actor{ranks=0 8,level=level1,schedule=counter=micro active=30};ref{enable=false}`. 0, or -EINVAL with the reason in why. */
int role_choices_read(struct role_choices *choices, const char *text, char *why, size_t size);

/* Prints them as role_choices_read() takes them; empty: none are given. */
void role_choices_text(const struct role_choices *choices, char *text, size_t size);
