/* alloc.h - allocation that never returns NULL: an offline command may simply stop. */
#pragma once
#include <stddef.h>
#include <stdint.h>

void *alloc_grow(void *old, size_t count, size_t size);

/* A queue whose items stand at their numbers, from first up to last, in a list of *count, a power of two: twice as large, or 16. */
void *alloc_grow_queue(void *old, uint64_t first, uint64_t last, size_t *count, size_t size);
void *alloc_zero(size_t count, size_t size);
char *alloc_text(const void *text, size_t size); /* a copy with a NUL behind */
char *alloc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Zeros, which forks of ours see and write, too; munmap() gives them back. */
void *alloc_shared(size_t size);

/* For who does one piece of work after the other, each of which needs about as much: what is freed is kept rather than given back and asked for again. */
void alloc_keep_room(void);
