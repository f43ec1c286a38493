/* verl.h - verl's settings as a tree, and what its profilers' trees come to: verl.c, verl_keys.c, verl_value.c, verl_roles.c. */
#pragma once
#include "config/load/tree.h"

struct verl {
	struct loader *l;
	struct tree tree;
	const char *path;     /* of the file of settings; NULL: there is none */
	const char *version;  /* "": unknown, then the newest */
	unsigned int said;    /* 1 << enum verl_note */
	unsigned int enabled; /* roles */
};

/* Lines that are said once, of the first place that has a reason. */
enum verl_note {
	VERL_EMPTY_RANKS,
	VERL_NOT_ENABLED,
	VERL_NO_DEVICE,
	VERL_OWN_PROCESSES,
	VERL_TORCH_STEPS,
	VERL_UNSEEN,
	VERL_TOOL,
	VERL_NOTES_EACH, /* from here on: as often as there is a reason */
};

/* Then the tree is to be ended; of an error it is already. */
int verl_begin(struct verl *v, struct loader *l, const char *path);

/* Makes the tree: verl's defaults, the file that the command names, the text of the file, the command's words. 0, or -EINVAL. */
int verl_lay_all(struct verl *v, const char *text, size_t length);

/* Says a line, if there is somebody to say it to. */
__attribute__((format(printf, 3, 4))) void verl_say(struct verl *v, enum verl_note note, const char *format, ...);

/* Is the version this one, or newer? */
bool verl_since(const struct verl *v, const char *version);

/* Names each unknown key of the profilers' trees, with the nearest that is known. */
void verl_keys_tell(struct verl *v);

/* ---- values: 0, or -EINVAL with a line in the loader's error ---- */

/* What stands at base.key: NULL if nothing is set there, or it cannot be told. */
const struct node *verl_find(struct verl *v, const char *base, const char *key);

/* Says what is wrong with what was found there. */
int verl_refuse(struct verl *v, const char *base, const char *key, const struct node *n, const char *reason);
int verl_bool(struct verl *v, const char *base, const char *key, bool *value);

/* A number from 0; *value stays where nothing is set. */
int verl_number(struct verl *v, const char *base, const char *key, int64_t *value);

/* A list of numbers, blanks between; empty where nothing is set. */
int verl_numbers(struct verl *v, const char *base, const char *key, char *text, size_t size);

/* ---- roles ---- */

/* Sets the option roles, if anybody wrote of a role. */
int verl_set_roles(struct verl *v);
