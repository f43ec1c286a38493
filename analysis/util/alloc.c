#include "analysis/util/alloc.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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

void *alloc_grow_queue(void *old, uint64_t first, uint64_t last, size_t *count, size_t size)
{
	size_t more = *count ? 2 * *count : 16;
	char *list = alloc_grow(NULL, more, size);

	for (uint64_t i = first; i < last; i++)
		memcpy(list + (i & (more - 1)) * size, (char *)old + (i & (*count - 1)) * size, size);
	free(old);
	*count = more;
	return list;
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

#define ROOM (32 << 20) /* bytes */

void alloc_keep_room(void)
{
	mallopt(M_MMAP_THRESHOLD, ROOM);
	mallopt(M_TRIM_THRESHOLD, ROOM);
}

void *alloc_shared(size_t size)
{
	void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return checked(made == MAP_FAILED ? NULL : made);
}
