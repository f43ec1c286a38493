/* option.h - the rows of options.def as a table: find one, set it from text, print it back. */
#pragma once
#include "config/config.h"

enum option_id {
#define OPTION(key, type, initial, metavar, help) OPTION_##key,
#include "config/options.def"
#undef OPTION
	OPTIONS
};

/* How one type reads and writes its text. set() returns 0, or -EINVAL with the reason in why. */
struct option_type {
	int (*set)(void *field, size_t field_size, const char *text, char *why, size_t size);
	void (*text)(const void *field, char *text, size_t size);
	const char *values;	  /* what may be written, for the documentation */
	bool list;		  /* a YAML list may stand here */
	bool empty;		  /* empty text says something, if only that nothing is chosen; otherwise it is unset */
	const char *const *words; /* what may be written, NULL at the end, instead of values */
};

struct option_row {
	const char *key; /* save_path */
	const struct option_type *type;
	size_t offset, size; /* in struct config */
	const char *initial, *metavar, *help;
};
extern const struct option_row options[OPTIONS];

/* Writes RANKTRACE_SAVE_PATH for save_path, or --save-path. */
#define OPTION_NAME 64
void option_variable(enum option_id id, char name[OPTION_NAME]);
void option_flag(enum option_id id, char name[OPTION_NAME]);

/* why is a line without the place; the caller knows where the text stood and puts that first. */
int option_set(struct config *c, enum option_id id, const char *text, char *why, size_t size);
void option_text(const struct config *c, enum option_id id, char *text, size_t size);

/* What may be written, as Markdown. */
void option_values(enum option_id id, char *text, size_t size);

/* Returns the option with that key, or OPTIONS. */
enum option_id option_find(const char *key);

/* All keys that a YAML file may hold, NULL at the end: settings for people, then other_keys. */
const char *const *option_keys(void);
