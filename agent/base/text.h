/* text.h - the few string helpers that run before libc (or a sanitizer) is ready. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"

BARE ALWAYS_INLINE bool text_equal(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

BARE ALWAYS_INLINE bool text_starts(const char *text, const char *prefix)
{
	while (*prefix && *text == *prefix)
		text++, prefix++;
	return !*prefix;
}

BARE ALWAYS_INLINE const char *text_basename(const char *path)
{
	const char *base = path;

	for (; *path; path++)
		if (*path == '/')
			base = path + 1;
	return base;
}

/* Copies text and always ends it; returns the length copied. */
BARE ALWAYS_INLINE size_t text_copy(char *to, size_t size, const char *from)
{
	size_t n = 0;

	if (!size)
		return 0;
	for (; from[n] && n + 1 < size; n++)
		to[n] = from[n];
	to[n] = '\0';
	return n;
}
