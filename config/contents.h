/* contents.h - what is recorded of a call: the words of --contents. */
#pragma once
#include <stddef.h>

enum content {
	CONTENT_CPU = 1,
	CONTENT_DEVICE = 2,
	CONTENT_MEMORY = 4,
	CONTENT_SHAPES = 8,
	CONTENT_MODULE = 16,
	CONTENT_STACK = 32,
};

/* Those that may be written, NULL at the end. */
extern const char *const contents_words[];

/* The bits of a text that was taken once, maybe in words of an older version. */
unsigned int contents_of(const char *text);

/* 0, or -EINVAL with the reason in why. */
int contents_read(const char *text, unsigned int *bits, char *why, size_t size);

/* With commas between. */
void contents_text(unsigned int bits, char *text, size_t size);
