/* json_reader.h - reads JSON one scalar at a time: the callback gets the way to it and its text. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define JSON_DEPTH 16

/*
 * A leaf: path[0..depth-1] are the keys on the way, "" for a place in a list; index is the number
 * of that place in the outermost list. text is NULL for null. Strings come decoded, but for \u
 * above 7f.
 */
struct json_leaf {
	const char *path[JSON_DEPTH];
	unsigned int depth;
	size_t index;
	const char *text;
};

/* Cuts text up in place. Returns 0, or -EINVAL if it is not JSON. */
int json_read(char *text, void (*leaf)(void *context, const struct json_leaf *), void *context);
