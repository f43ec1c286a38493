/* own.h - the few words and string helpers that run before libc (or a sanitizer) is ready. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT	      __attribute__((visibility("default")))
#define OURS	      __attribute__((visibility("hidden"))) /* reached without the GOT: hot variables */
#define NOINLINE      __attribute__((noinline, cold))
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define LIKELY(x)     __builtin_expect(!!(x), 1)
#define UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define BIT(n)	      (1u << (n))

/* Code that may run before a sanitizer's own start must not be instrumented. */
#define BARE	      __attribute__((no_sanitize("address", "thread", "undefined")))

BARE ALWAYS_INLINE bool own_equal(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

BARE ALWAYS_INLINE bool own_starts(const char *text, const char *prefix)
{
	while (*prefix && *text == *prefix)
		text++, prefix++;
	return !*prefix;
}

BARE ALWAYS_INLINE const char *own_basename(const char *path)
{
	const char *base = path;

	for (; *path; path++)
		if (*path == '/')
			base = path + 1;
	return base;
}

/* Copies text and always ends it; returns the length copied. */
BARE ALWAYS_INLINE size_t own_copy(char *to, size_t size, const char *from)
{
	size_t n = 0;

	if (!size)
		return 0;
	for (; from[n] && n + 1 < size; n++)
		to[n] = from[n];
	to[n] = '\0';
	return n;
}
