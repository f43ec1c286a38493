/* types.h - the types of options.def: the field, what may be written, how it is read and printed. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "config/contents.h"
#include "config/schedule.h"
#include "config/selection.h"

/* The longest save_path: with what is put behind it, a file has a name of 1,023 bytes at most. */
#define PATH_SIZE	    768

#define FIELD_BOOL(key)	    bool key;
#define FIELD_PATH(key)	    char key[PATH_SIZE];
#define FIELD_NUMBERS(key)  struct selection key;
#define FIELD_STEP(key)	    int64_t key;      /* -1: not given */
#define FIELD_LEVEL(key)    int key;	      /* enum level */
#define FIELD_CONTENTS(key) unsigned int key; /* enum content */
#define FIELD_SOURCES(key)  char key[4096];   /* specs, semicolon between; empty: the default list */
#define FIELD_PRESET(key)   char key[64];
#define FIELD_STAGES(key)   char key[4096]; /* functions of Python, semicolon between */
#define FIELD_BATCHES(key)  char key[2048];
#define FIELD_NEXTSTEP(key) char key[4096];
#define FIELD_SIZE(key)	    uint64_t key; /* bytes */
#define FIELD_MEMORY(key)   uint64_t key;
#define FIELD_NAME(key)	    char key[64];
#define FIELD_REASON(key)   char key[512];
#define FIELD_WORD(key)	    int key; /* enum option_word: option_words.h */
#define FIELD_DIGIT(key)    int key;
#define FIELD_SCHEDULE(key) struct schedule key;
#define FIELD_COUNT(key)    uint64_t key;	     /* 1 or more */
#define FIELD_ROLES(key)    struct role_choices key; /* role_choice.h */

enum level {
	LEVEL_NONE = -1,
	LEVEL_0,
	LEVEL_1,
	LEVEL_2,
};

#define SHM_SIZE_MIN (4u << 20) /* a thread's buffer, the spare ones, and what the events speak of */

struct option_row;

struct option_type {
	/* Reads text into the row's field. Returns 0, or -EINVAL with the reason in why. */
	int (*set)(const struct option_row *o, void *field, const char *text, char *why, size_t size);
	void (*text)(const void *field, char *text, size_t size);
	const char *values;	   /* what may be written, for the documentation */
	const char *const *words;  /* or one of these, NULL at the end; beside values: what they speak of */
	const char *const *usages; /* or such a thing, with a placeholder in it */
	const char *unset;	   /* what stands there if there is no default; NULL: zeroes */
	bool list;		   /* a YAML list may stand here, */
	bool semicolons;	   /* whose items hold commas, */
	bool map;		   /* or a mapping of plain values: key=value each, */
	bool maps;		   /* or one of such mappings: name{key=value} each */
	bool empty;		   /* empty text is a value; otherwise it means unset */
};

extern const struct option_type type_BOOL, type_PATH, type_NUMBERS, type_STEP, type_LEVEL,
	type_CONTENTS, type_SOURCES, type_SIZE, type_MEMORY, type_NAME, type_REASON, type_WORD, type_DIGIT, type_COUNT, type_SCHEDULE, type_ROLES, type_STAGES, type_BATCHES, type_NEXTSTEP, type_PRESET;
