/* words.h - lists of words that a user may write. */
#pragma once
#include <stddef.h>

/* Returns the word of a NULL-terminated list that looks most like this one, or NULL. */
const char *word_nearest(const char *word, const char *const *list);
