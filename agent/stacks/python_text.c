#include "agent/stacks/python_text.h"
#include <stdbool.h>
#include <string.h>
#include "agent/base/utf8.h"

#define STATE_KIND(state) ((unsigned int)(state) >> 2 & 7) /* bytes of a character: 1, 2 or 4 */
#define STATE_COMPACT	  BIT(5)			   /* the characters stand behind the head */
#define STATE_ASCII	  BIT(6)
#define BIT(n)		  (1u << (n))
#define SURROGATE(c)	  ((c) >= 0xd800 && (c) < 0xe000)
#define UNICODE_MOST	  0x10ffff
#define HEAD_MORE_FROM	  12 /* from this version on a head that is not ASCII's has two words more; three before */

static uint32_t character(const char *at, unsigned int kind, uint64_t i)
{
	uint32_t c = kind == 1 ? ((const uint8_t *)at)[i] : kind == 2 ? ((const uint16_t *)(const void *)at)[i]
								      : ((const uint32_t *)(const void *)at)[i];

	return SURROGATE(c) || c > UNICODE_MOST ? '?' : c; /* as "replace" of Python's own codec has it */
}

size_t python_text(const struct python_layout *l, const char *text, char *to, size_t size)
{
	uint32_t state = text ? (uint32_t)python_int(text, l->state) : 0;
	uint64_t length = text ? python_size(text, l->length) : 0;
	unsigned int kind = STATE_KIND(state);
	const char *at;
	size_t n = 0;

	if (!(state & STATE_COMPACT) || (kind != 1 && kind != 2 && kind != 4))
		return 0;
	at = text + l->ascii + (state & STATE_ASCII ? 0 : l->minor >= HEAD_MORE_FROM ? 16
										     : 24);
	for (uint64_t i = 0; i < length && n + 4 <= size; i++)
		n += utf8_put(to + n, character(at, kind, i));
	return n;
}
