#include "config/base/words.h"
#include <stdio.h>
#include <string.h>

#define WORD_MAX 64 /* of what looks like a word */

/* Levenshtein: how many letters to put in, take out or change. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[WORD_MAX + 1], n = strlen(b), left, corner, best;

	for (unsigned int j = 0; j <= n; j++)
		row[j] = j;
	for (unsigned int i = 0; a[i]; i++) {
		corner = row[0];
		row[0] = left = i + 1;
		for (unsigned int j = 1; j <= n; j++) {
			best = corner + (a[i] != b[j - 1]);
			best = best < left + 1 ? best : left + 1;
			best = best < row[j] + 1 ? best : row[j] + 1;
			corner = row[j];
			row[j] = left = best;
		}
	}
	return row[n];
}

const char *word_nearest(const char *word, const char *const *list)
{
	const char *nearest = NULL;
	unsigned int length = strlen(word), least = length < 4 ? 2 : length / 3 + 2, d;

	if (length > WORD_MAX)
		return NULL;
	for (; *list; list++) {
		if (strlen(*list) > WORD_MAX)
			continue;
		d = distance(word, *list);
		if (d < least && d < strlen(*list)) {
			nearest = *list;
			least = d;
		}
	}
	return nearest;
}

void words_join(char *text, size_t size, const char *const *list, const char *quote, const char *last)
{
	size_t used = 0;

	for (text[0] = '\0'; *list && used < size; list++) {
		const char *between = !used ? "" : list[1] ? ", "
							   : last;

		used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", between, quote, *list, quote);
	}
}
