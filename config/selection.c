/* selection.c - the asking part calls nobody. */
#include "config/selection.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "config/base/number.h"
#include "config/base/refuse.h"

bool selection_has(const struct selection *s, int64_t n)
{
	if (s->all)
		return true;
	for (unsigned int i = 0; i < s->count && s->range[i].first <= n; i++)
		if (n <= s->range[i].last)
			return true;
	return false;
}

void selection_run(const struct selection *s, int64_t n, int64_t *first, int64_t *last)
{
	*first = s->all ? 0 : n;
	*last = s->all ? INT64_MAX : n;
	for (unsigned int i = 0; !s->all && i < s->count; i++) {
		if (s->range[i].first <= n && n <= s->range[i].last) {
			*first = s->range[i].first;
			*last = s->range[i].last;
		}
	}
}

bool selection_after(const struct selection *s, int64_t n)
{
	if (s->all)
		return n < INT64_MAX;
	return s->count && s->range[s->count - 1].last > n;
}

int64_t selection_next(const struct selection *s, int64_t n)
{
	unsigned int i = 0;

	if (!selection_after(s, n))
		return INT64_MAX;
	while (i < s->count && s->range[i].last <= n)
		i++;
	return i < s->count && s->range[i].first > n ? s->range[i].first : n + 1;
}

/* Puts a range in its place and swallows the ranges that it touches. */
static int selection_add(struct selection *s, int64_t first, int64_t last)
{
	unsigned int from = 0, to;

	while (from < s->count && s->range[from].last < first - 1)
		from++;
	for (to = from; to < s->count && (last == INT64_MAX || s->range[to].first <= last + 1);
	     to++) {
		if (s->range[to].first < first)
			first = s->range[to].first;
		if (s->range[to].last > last)
			last = s->range[to].last;
	}
	if (from == to && s->count == CONFIG_RANGES)
		return -ENOSPC;
	memmove(&s->range[from + 1], &s->range[to], (s->count - to) * sizeof(s->range[0]));
	s->count = s->count - (to - from) + 1;
	s->range[from].first = first;
	s->range[from].last = last;
	return 0;
}

#define BETWEEN ", \t" /* what separates items */

/* Reads `5`, `5-9` or `5-`. */
static int read_range(struct selection *s, const char *item, int length, char *why, size_t size)
{
	const char *p = item;
	int64_t first, last;

	if (!number_read(&p, &first))
		return refuse(why, size, "'%.*s' is not a number from 0 to 2^53: "
					 "write numbers, ranges like 5-9, or all",
			      shown(length), item);
	last = first;
	if (*p == '-') {
		p++;
		if (!number_read(&p, &last))
			last = p == item + length ? INT64_MAX : -1;
	}
	if (p != item + length || last < 0)
		return refuse(why, size, "'%.*s' is not a range: write it like 5-9", shown(length), item);
	if (last < first)
		return refuse(why, size, "the range '%.*s' runs backwards: write %lld-%lld", shown(length),
			      item, (long long)last, (long long)first);
	if (selection_add(s, first, last))
		return refuse(why, size, "more than %d separate ranges: write fewer, wider ones",
			      CONFIG_RANGES);
	return 0;
}

static int read_item(struct selection *s, const char *item, int length, char *why, size_t size)
{
	if ((length == 3 && !strncmp(item, "all", 3)) || (length == 2 && !strncmp(item, "-1", 2))) {
		s->all = true;
		return 0;
	}
	if (length == 4 && !strncmp(item, "none", 4)) {
		s->none = true;
		return 0;
	}
	if (length == 7 && !strncmp(item, "unknown", 7)) {
		s->unknown = true;
		return 0;
	}
	if (*item == '-')
		return refuse(why, size, "'%.*s' is negative: write numbers from 0, or -1 for all",
			      shown(length), item);
	return read_range(s, item, length, why, size);
}

/* Steps over what separates items, and counts its commas. */
static int skip_between(const char **text)
{
	int commas = 0;

	for (; **text && strchr(BETWEEN, **text); ++*text)
		commas += **text == ',';
	return commas;
}

/* A list may be written as in YAML. Steps into its brackets, and returns where it ends. */
static const char *inside_brackets(const char **text)
{
	const char *from = *text + strspn(*text, " \t"), *end = *text + strlen(*text);

	while (end > from && strchr(" \t", end[-1]))
		end--;
	if (*from != '[' || end[-1] != ']')
		return *text + strlen(*text);
	*text = from + 1;
	return end - 1;
}

int selection_read(struct selection *s, const char *text, char *why, size_t size)
{
	const char *whole = text, *end = inside_brackets(&text);
	int length, err, commas = skip_between(&text);
	bool stray = commas;

	*s = (struct selection){ .given = true };
	while (text < end) {
		length = strcspn(text, BETWEEN);
		length = length < end - text ? length : (int)(end - text);
		err = read_item(s, text, length, why, size);
		if (err)
			return err;
		text += length;
		commas = skip_between(&text);
		stray |= commas > (text < end ? 1 : 0);
	}
	if (stray)
		return refuse(why, size, "'%.100s' has a comma without a number beside it: write it like 2,4",
			      whole);
	if (s->all)
		s->count = s->unknown = 0;
	if (s->none && (s->all || s->count || s->unknown))
		return refuse(why, size, "'%.100s' says none, and some: keep one", whole);
	return 0;
}

void selection_text(const struct selection *s, char *text, size_t size)
{
	size_t used = 0;

	snprintf(text, size, "%s", s->all ? "all" : s->none	      ? "none"
					    : s->unknown && !s->count ? "unknown"
								      : "");
	for (unsigned int i = 0; !s->all && i < s->count && used < size; i++) {
		int64_t first = s->range[i].first, last = s->range[i].last;

		used += snprintf(text + used, size - used, "%s%lld", i ? "," : "",
				 (long long)first);
		if (used < size && last == INT64_MAX)
			used += snprintf(text + used, size - used, "-");
		else if (used < size && last > first)
			used += snprintf(text + used, size - used, "%c%lld",
					 last == first + 1 ? ',' : '-', (long long)last);
	}
	if (s->unknown && s->count && used < size)
		snprintf(text + used, size - used, ",unknown");
}
