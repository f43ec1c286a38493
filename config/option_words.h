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

/* All words of this option, NULL at the end. */
void option_words(enum option_id id, const char *list[OPTION_WORDS + 1]);
