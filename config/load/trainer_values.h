/* trainer_values.h - what the readers of a trainer's settings share. */
#pragma once
#include "config/load/trainer_settings.h"

struct trainer_settings {
	struct loader *l;
	const struct trainer_dialect *d;
	const char *path; /* of the file of settings; NULL: there is none */
	bool bare;	  /* its keys are at the top */
	struct tree tree;
	const struct node *keys; /* the mapping that they are in */
};

/* Sets the options. 0, or -EINVAL with a line in the loader's error. */
int trainer_settings_apply(struct trainer_settings *s);

/* The dialect of a file, NULL in *d: none of these; bare: its keys are in no tree. 0, or -EINVAL with a line in the loader's error. */
int trainer_whose(struct loader *l, const char *path, const char *text, size_t length, const struct trainer_dialect **d, bool *bare);

/* What a node is called where it was written. */
void trainer_settings_where(const struct trainer_settings *s, const struct node *n, char *text, size_t size);

__attribute__((format(printf, 2, 3))) void trainer_settings_say(const struct trainer_settings *s, const char *format, ...);

struct trainer_key {
	enum trainer_keys keys;
	const char *key;
	enum trainer_meaning means;
	const char *initial;
};

/* A NULL key at the end. */
extern const struct trainer_key trainer_key_rows[];

/* Lays the words of a flag's kind over the tree. NULL, or what is wrong, with the word that it is wrong in. */
const char *trainer_flags(struct trainer_settings *s, char *const *words, const char **word);

/* Is a key one of a profiler's, in trees where others are, too? */
bool trainer_is_profilers(const char *key);

/* ---- values ---- */

/* The row of the first key of that meaning; NULL: the trainer has none. */
const struct trainer_key *trainer_key_of(const struct trainer_settings *s, enum trainer_meaning means);

/* What stands there, or the default; of several keys of that meaning one that is written. NULL: nothing. */
const struct node *trainer_find_value(struct trainer_settings *s, enum trainer_meaning means);
bool trainer_is_written(struct trainer_settings *s, enum trainer_meaning means);

/* What is meant by it, through interpolations. NULL: it cannot be told, which is said. */
const struct node *trainer_meant(struct trainer_settings *s, const struct node *n);

/* 1, 0, or -EINVAL. */
int trainer_is_true(const struct trainer_settings *s, const struct node *n, const struct node *value);

/* A number that may be negative. */
bool trainer_number_of(const struct node *n, int64_t *value);

/* These are 0, or -EINVAL with a line in the loader's error; the value stays where nothing is set. */
int trainer_bool(struct trainer_settings *s, enum trainer_meaning means, bool *value);
int trainer_number(struct trainer_settings *s, enum trainer_meaning means, int64_t *value, const struct node **n);

/* -EINVAL. In format a %s is the word, if there is one. */
int trainer_refuse(const struct trainer_settings *s, const struct node *n, const char *format, const char *word);

/* Sets an option. */
int trainer_set(struct trainer_settings *s, enum option_id id, const struct node *n, const char *text);

/* ---- choices ---- */

int trainer_set_steps(struct trainer_settings *s);
int trainer_set_ranks(struct trainer_settings *s);
int trainer_set_stage(struct trainer_settings *s);
int trainer_set_roles(struct trainer_settings *s);
