#include "analysis/util/rank_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

static int by_number(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How many from here on stand in a row; the same one twice counts as one. */
static size_t row_length(const int64_t *numbers, size_t count)
{
	size_t n = 1;

	while (n < count && (uint64_t)numbers[n] - (uint64_t)numbers[n - 1] <= 1)
		n++;
	return n;
}

static const char *plural_ending(const char *word)
{
	size_t n = strlen(word);

	return n && word[n - 1] == 's' ? "es" : "s";
}

char *rank_list(const char *word, int64_t *numbers, size_t count)
{
	const char *comma = "";
	char *text = NULL;
	size_t size, n;
	FILE *f = open_memstream(&text, &size);

	if (count)
		qsort(numbers, count, sizeof(*numbers), by_number);
	fprintf(f, "%s%s ", word, count && numbers[0] != numbers[count - 1] ? plural_ending(word) : "");
	for (size_t i = 0; i < count; i += n, comma = ", ") {
		uint64_t more;
		int64_t last;

		n = row_length(numbers + i, count - i);
		last = numbers[i + n - 1];
		more = (uint64_t)last - (uint64_t)numbers[i];
		if (more >= 2)
			fprintf(f, "%s%" PRId64 "-%" PRId64, comma, numbers[i], last);
		else if (more)
			fprintf(f, "%s%" PRId64 ", %" PRId64, comma, numbers[i], last);
		else
			fprintf(f, "%s%" PRId64, comma, last);
	}
	fclose(f);
	return text;
}

static int by_group(const void *a, const void *b)
{
	const struct rank_of_group *x = a, *y = b;

	return strcmp(x->group, y->group);
}

static size_t group_length(const struct rank_of_group *ranks, size_t count, int64_t *numbers)
{
	size_t n = 0;

	for (; n < count && !by_group(&ranks[0], &ranks[n]); n++)
		numbers[n] = ranks[n].rank;
	return n;
}

char *rank_list_of_groups(struct rank_of_group *ranks, size_t count)
{
	int64_t *numbers = alloc_zero(count, sizeof(*numbers));
	char *text = NULL;
	size_t size, n;
	FILE *f = open_memstream(&text, &size);

	if (count)
		qsort(ranks, count, sizeof(*ranks), by_group);
	for (size_t i = 0; i < count; i += n) {
		char *list;

		n = group_length(&ranks[i], count - i, numbers);
		list = rank_list("rank", numbers, n);
		fprintf(f, "%s%s%s%s", i ? ", " : "", list, *ranks[i].group ? " of " : "", ranks[i].group);
		free(list);
	}
	fclose(f);
	free(numbers);
	return text;
}

void rank_groups_take(struct rank_groups *g, const char *group)
{
	g->several |= g->last && strcmp(g->last, group) != 0;
	g->last = group;
}
