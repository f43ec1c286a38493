#include "config/base/printable.h"
#include <stdbool.h>
#include <string.h>

static size_t length_told(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first >= 0xf0 ? 4 : first >= 0xe0 ? 3
						 : 2;
}

size_t utf8_read(const char *text, uint32_t *code)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n = length_told(*p);

	*code = n == 1 ? *p : *p & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (p[i] & 0x3f);
	}
	if ((n == 3 && *code < 0x800) || (n == 4 && (*code < 0x10000 || *code > 0x10ffff)) ||
	    (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return n;
}

static bool is_harmful(uint32_t code)
{
	return code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

size_t unprintable(const char *text)
{
	uint32_t code;
	size_t n = utf8_read(text, &code);

	if (!n)
		return (unsigned char)*text < 0xa0;
	return is_harmful(code) ? n : 0;
}

size_t printable(const char *text)
{
	uint32_t code;
	size_t n = utf8_read(text, &code);

	if (unprintable(text))
		return 0;
	return n ? n : 1;
}

void make_printable(char *text)
{
	char *to = text;

	while (*text) {
		size_t n = printable(text), bad = unprintable(text);

		if (bad)
			*to++ = '?';
		memmove(to, text, n);
		to += n;
		text += n + bad;
	}
	*to = '\0';
}
