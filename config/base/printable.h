/* printable.h - what may be shown on a terminal as it stands. Texts are what programs, files and users say. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed UTF-8 character here, and its code; 0: it is none. */
size_t utf8_read(const char *text, uint32_t *code);

/*
 * Bytes of the character here if it moves a cursor or turns the direction of what stands around it: control characters
 * (U+0000 to 1F, 7F to 9F, also as a single byte), line and paragraph separators, the marks, embeddings, overrides and
 * isolates of Unicode's bidirectional algorithm (UAX 9). 0: it may be shown.
 */
size_t unprintable(const char *text);

/* Bytes of the character here, or of one that is no UTF-8, if it may be shown; 0: it may not. */
size_t printable(const char *text);

/* Puts a '?' in place of each. */
void make_printable(char *text);
