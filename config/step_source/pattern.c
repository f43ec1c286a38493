/*
 * pattern.c - how much work an expression is to compile. regcomp() copies what `+` and `{9}` repeat, also
 * inside each other: twenty `+` in a row take a gigabyte of the trainer's memory.
 */
#include "config/step_source/pattern.h"
#include <errno.h>
#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "config/base/refuse.h"

#define WEIGHT_MAX 1000 /* letters, once everything is copied out */
#define GROUPS	   32

struct weights {
	unsigned long sum[GROUPS + 1], last; /* of the groups that are open; of the item just read */
	unsigned int depth;
};

static void add(struct weights *w, unsigned long weight)
{
	w->last = weight;
	w->sum[w->depth] += weight;
}

static void repeat(struct weights *w, unsigned long times)
{
	unsigned long more = w->last * (times - 1);

	w->last += more;
	w->sum[w->depth] += more;
}

/* Behind `[`: the place of the `]` that ends it, or of the end. */
static const char *bracket_end(const char *p)
{
	p += *p == '^';
	p += *p == ']';
	while (*p && *p != ']') {
		char kind = p[1];

		if (*p++ != '[' || !kind || !strchr(":.=", kind))
			continue;
		for (p++; *p && (p[0] != kind || p[1] != ']'); p++)
			;
		p += *p ? 2 : 0;
	}
	return p;
}

/* `{2,9}`, `{2,}` or `{2}`: one more than its greater number. */
static unsigned long bound(const char **p)
{
	char *end;
	unsigned long low = strtoul(*p + 1, &end, 10), high = low;

	if (*end == ',')
		high = strtoul(end + 1, &end, 10);
	*p = end - (end > *p);
	low = low > high ? low : high;
	return (low < WEIGHT_MAX ? low : WEIGHT_MAX) + 1;
}

static void close_group(struct weights *w)
{
	unsigned long weight;

	if (!w->depth)
		return;
	weight = w->sum[w->depth--];
	add(w, weight + 1);
}

static void read_one(struct weights *w, const char **p)
{
	switch (**p) {
	case '\\':
		*p += (*p)[1] != '\0';
		add(w, 1);
		break;
	case '[':
		*p = bracket_end(*p + 1);
		*p -= !**p;
		add(w, 1);
		break;
	case '(':
		w->sum[++w->depth] = 0;
		break;
	case ')':
		close_group(w);
		break;
	case '+':
		repeat(w, 2);
		break;
	case '{':
		repeat(w, bound(p));
		break;
	default:
		add(w, 1);
	}
}

/* A reference to a group makes matching take for ever, on the trainer's thread. */
static bool refers_back(const char *p)
{
	for (; *p; p++)
		if (*p == '\\' && p[1] && *++p >= '1' && *p <= '9')
			return true;
	return false;
}

static int check_work(const char *source, const char *expression, char *why, size_t size)
{
	struct weights w = { .last = 0 };

	for (const char *p = expression; *p; p++) {
		if (*p == '(' && w.depth == GROUPS)
			return refuse(why, size, "'%s:%.64s' is nested deeper than %d levels: use fewer", source, expression, GROUPS);
		read_one(&w, &p);
		if (w.sum[w.depth] > WEIGHT_MAX)
			return refuse(why, size, "'%s:%.64s' repeats too much: write fewer + and {}", source, expression);
	}
	if (refers_back(expression))
		return refuse(why, size, "'%s:%.64s' refers back to a group: write it without \\1 to \\9", source, expression);
	return 0;
}

int pattern_check(const char *source, const char *expression, const char *example, size_t *groups, char *why, size_t size)
{
	size_t length = strlen(expression);
	char problem[128];
	regex_t regex;
	int err;

	if (!length || length > PATTERN_MAX)
		return refuse(why, size, "the expression behind %s: must have 1 to %d characters", source, PATTERN_MAX);
	if (check_work(source, expression, why, size))
		return -EINVAL;
	err = regcomp(&regex, expression, REG_EXTENDED);
	if (err) {
		regerror(err, &regex, problem, sizeof(problem));
		return refuse(why, size, "'%s:%.64s' is not an extended regular expression (%s): write one like %s:%s", source, expression,
			      problem, source, example);
	}
	*groups = regex.re_nsub;
	regfree(&regex);
	return 0;
}
