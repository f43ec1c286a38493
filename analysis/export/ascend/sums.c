#include "analysis/export/ascend/sums.h"

#include <stdlib.h>
#include <string.h>

void sums_add(struct table *sums, const char *name, uint64_t ns)
{
	struct sum *sum = table_put(sums, (uintptr_t)name);
	double us = (double)ns / 1000;

	if (!sum->count || ns < sum->least)
		sum->least = ns;
	if (ns > sum->most)
		sum->most = ns;
	sum->name = name;
	sum->count++;
	sum->total += ns;
	sum->squares += us * us;
}

double sum_variance(const struct sum *sum)
{
	double mean = (double)sum->total / 1000 / (double)sum->count, variance = sum->squares / (double)sum->count - mean * mean;

	return variance > 0 ? variance : 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct sum *)a)->name, ((const struct sum *)b)->name);
}

static int by_total(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	return x->total != y->total ? (x->total < y->total ? 1 : -1) : strcmp(x->name, y->name);
}

static void join(struct sum *sum, const struct sum *more)
{
	sum->least = more->least < sum->least ? more->least : sum->least;
	sum->most = more->most > sum->most ? more->most : sum->most;
	sum->count += more->count;
	sum->total += more->total;
	sum->squares += more->squares;
}

/* The same name may stand at several addresses. */
struct sum *sums_hand_over(struct table *sums, size_t *count)
{
	struct sum *list = table_hand_over(sums, count, by_name);
	size_t kept = 0;

	for (size_t i = 1; i < *count; i++) {
		if (strcmp(list[i].name, list[kept].name))
			list[++kept] = list[i];
		else
			join(&list[kept], &list[i]);
	}
	*count = *count ? kept + 1 : 0;
	if (*count)
		qsort(list, *count, sizeof(*list), by_total);
	return list;
}
