#include "config/step_source/collective.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "config/base/refuse.h"
#include "config/step_source/pattern.h"
#include "config/step_source/step_source.h"

#define RANKS	"{ranks="
#define HOW	"write collective:NAME*N or collective:NAME*N" RANKS "M}"
#define MOST	1000000
#define EXAMPLE "allreduce"

/* The number from here to the end; 0: it is none, or not one of 1 to MOST. */
static unsigned int number_at(const char *from, const char *end)
{
	unsigned long n = strtoul(from, NULL, 10);

	return from < end && from + strspn(from, "0123456789") == end && n <= MOST ? (unsigned int)n : 0;
}

static int read_ranks(struct collective_spec *c, const char *argument, const char **end, char *why, size_t size)
{
	const char *brace = strstr(argument, RANKS), *closing = *end - 1;

	if (!brace)
		return 0;
	c->ranks = *closing == '}' ? number_at(brace + strlen(RANKS), closing) : 0;
	if (!c->ranks)
		return refuse(why, size, "'%.64s' is no number of ranks: " HOW ", with numbers from 1 to %d", brace, MOST);
	*end = brace;
	return 0;
}

/* The last asterisk, with nothing but a number behind it. */
static int read_every(struct collective_spec *c, const char *argument, const char **end, char *why, size_t size)
{
	const char *star = memrchr(argument, '*', (size_t)(*end - argument));

	c->every = 1;
	if (!star || (star + 1 < *end && (star[1] < '0' || star[1] > '9')))
		return 0;
	c->every = number_at(star + 1, *end);
	if (!c->every)
		return refuse(why, size, "'%.64s' is no number of calls: " HOW ", with numbers from 1 to %d", star, MOST);
	*end = star;
	return 0;
}

int collective_read(struct collective_spec *c, const char *argument, char *why, size_t size)
{
	const char *end = argument + strlen(argument);
	size_t length, groups;

	*c = (struct collective_spec){ .every = 1 };
	if (read_ranks(c, argument, &end, why, size) || read_every(c, argument, &end, why, size))
		return -EINVAL;
	length = (size_t)(end - argument);
	if (length >= sizeof(c->regex))
		length = sizeof(c->regex) - 1; /* refused: it is too long */
	memcpy(c->regex, argument, length);
	return pattern_check("collective", c->regex, EXAMPLE, &groups, why, size);
}

int collective_parse(struct step_source_spec *s, char *why, size_t size)
{
	struct collective_spec c;

	return collective_read(&c, s->argument, why, size);
}
