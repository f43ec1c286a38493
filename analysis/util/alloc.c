#include "analysis/util/alloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p)
{
	if (!p) {
		fprintf(stderr, "ranktrace: out of memory: read fewer files at a time\n");
		exit(1);
	}
	return p;
}

void *alloc_grow(void *old, size_t count, size_t size)
{
	return checked(count > SIZE_MAX / size ? NULL : realloc(old, count * size));
}

void *alloc_zero(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size));
}

char *alloc_text(const void *text, size_t size)
{
	char *copy = checked(malloc(size + 1));

	if (size)
		memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}

char *alloc_format(const char *format, ...)
{
	char *text = NULL;
	va_list list;

	va_start(list, format);
	if (vasprintf(&text, format, list) < 0)
		text = NULL;
	va_end(list);
	return checked(text);
}
