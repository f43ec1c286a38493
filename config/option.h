/* option.h - the rows of options.def as a table: find one, set it from text, print it back. */
#pragma once
#include "config/config.h"

enum option_id {
#define OPTION(key, type, initial, metavar, help) OPTION_##key,
#include "config/options.def"
	OPTIONS
};

struct option_row {
	enum option_id id;
	const char *key; /* save_path */
	const struct option_type *type;
	size_t offset, size; /* in struct config */
	const char *initial, *metavar, *help;
};
extern const struct option_row options[OPTIONS];

/* Those that run.json does not repeat among what was asked. */
extern const bool option_elsewhere[OPTIONS];

/* Other keys for the same; a key of NULL at the end. */
struct option_spelling {
	enum option_id id;
	const char *key;
};
enum {
#define SPELLING(key, other) SPELLING_##other,
#include "config/options.def"
	OPTION_SPELLINGS
};
extern const struct option_spelling option_spellings[OPTION_SPELLINGS + 1];

/* Writes RANKTRACE_SAVE_PATH for save_path, or --save-path. */
#define OPTION_NAME 64
void option_variable(const char *key, char name[OPTION_NAME]);
void option_flag(const char *key, char name[OPTION_NAME]);

/* why is a line without the place; the caller knows where the text stood and puts that first. */
int option_set(struct config *c, enum option_id id, const char *text, char *why, size_t size);
void option_text(const struct config *c, enum option_id id, char *text, size_t size);

/* What may be written, as Markdown. */
void option_values(enum option_id id, char *text, size_t size);

/* Returns the option with that key, in whatever spelling, or OPTIONS. */
enum option_id option_find(const char *key);
