#include "analysis/util/shell_word.h"

#include <string.h>

#include "analysis/util/alloc.h"

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";

char *shell_word(const char *word)
{
	char *quoted, *to;

	if (*word && !word[strspn(word, plain)])
		return alloc_text(word, strlen(word));
	to = quoted = alloc_zero(4 * strlen(word) + 3, 1); /* of apostrophes alone */
	*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'')
			to = stpcpy(to, "'\\'");
		*to++ = *word;
	}
	*to = '\'';
	return quoted;
}
