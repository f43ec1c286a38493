/* option_words.h - options whose value is one of a few words: the WORD lines of options.def. */
#pragma once
#include "config/option.h"

/* What such a field holds. */
enum option_word {
#define WORD(key, symbol, word) symbol,
#include "config/options.def"
	OPTION_WORDS
};

/* The word, as it is written. */
const char *option_word(int word);

/* Which of this option's words it is, or -1. */
int option_word_find(enum option_id id, const char *text);

/* All words that the WORD lines give this option, NULL at the end. */
void option_words(enum option_id id, const char *list[OPTION_WORDS + 1]);

/* The words that may stand behind this option, NULL at the end; none: numbers, paths and the like. own: room for them. */
const char *const *option_choice(enum option_id id, const char *own[OPTION_WORDS + 1]);
