/* dialects.h - the functions of dialects.def. */
#pragma once
#include "config/loader.h"

#define DIALECT_OTHER 1 /* the file is not of this dialect, and nothing was set */

/* Reads a file's text. Returns 0, -EINVAL with a line in the loader's error, or DIALECT_OTHER. */
#define DIALECT(word, function, known) \
	int function(struct loader *l, const char *path, const char *text, size_t length);
#include "config/load/dialects.def"
#undef DIALECT

/* Is it a key of a file of our own? */
bool native_knows(const char *key);
