/* words.h - lists of words that a user may write. */
#pragma once
#include <stddef.h>

/* Returns the word of a NULL-terminated list that looks most like this one, or NULL. */
const char *word_nearest(const char *word, const char *const *list);

/* Writes "a, b or c": each word of a NULL-terminated list between quotes, `last` before the last one. */
void words_join(char *text, size_t size, const char *const *list, const char *quote, const char *last);
