/* utf8.h - characters as UTF-8. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Returns how many bytes, 4 at most. What is no character, such as half a surrogate pair, becomes U+FFFD. */
static inline size_t utf8_put(char *to, uint32_t letter)
{
	if (letter < 0x80) {
		to[0] = (char)letter;
		return 1;
	}
	if (letter < 0x800) {
		to[0] = (char)(0xc0 | letter >> 6);
		to[1] = (char)(0x80 | (letter & 0x3f));
		return 2;
	}
	if (letter > 0x10ffff || (letter & 0xfffff800) == 0xd800)
		letter = 0xfffd;
	if (letter < 0x10000) {
		to[0] = (char)(0xe0 | letter >> 12);
		to[1] = (char)(0x80 | (letter >> 6 & 0x3f));
		to[2] = (char)(0x80 | (letter & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | letter >> 18);
	to[1] = (char)(0x80 | (letter >> 12 & 0x3f));
	to[2] = (char)(0x80 | (letter >> 6 & 0x3f));
	to[3] = (char)(0x80 | (letter & 0x3f));
	return 4;
}
