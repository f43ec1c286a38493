#include "config/step_source/marker.h"
#include <errno.h>
#include <string.h>
#include "config/base/refuse.h"
#include "config/step_source/pattern.h"
#include "config/step_source/step_source.h"

#define DOMAIN "{domain="

static bool ends_with(const char *from, const char *end, const char *what)
{
	size_t n = strlen(what);

	return (size_t)(end - from) >= n && !memcmp(end - n, what, n);
}

/* Copies [from, end) if it fits. */
static bool take(char *to, size_t size, const char *from, const char *end)
{
	size_t length = (size_t)(end - from);

	if (length >= size)
		return false;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

/* The last one: an expression may have a brace of its own. */
static const char *find_domain(const char *argument)
{
	const char *found = NULL;

	for (const char *p = argument; (p = strstr(p, DOMAIN)); p++)
		found = p;
	return found;
}

static int read_domain(struct marker_spec *m, const char *domain, char *why, size_t size)
{
	const char *from = domain + strlen(DOMAIN), *end = from + strcspn(from, "}");

	if (end == from || end[0] != '}' || end[1] || !take(m->domain, sizeof(m->domain), from, end))
		return refuse(why, size, "'%.64s' is no domain: write {domain=NAME}, of at most %zu letters, at the end", domain, sizeof(m->domain) - 1);
	return 0;
}

int marker_read(struct marker_spec *m, const char *argument, char *why, size_t size)
{
	const char *domain = find_domain(argument), *end = domain ? domain : argument + strlen(argument);
	bool at_entry = ends_with(argument, end, "@entry");
	size_t groups = 0;

	*m = (struct marker_spec){ .at_end = !at_entry };
	if (domain && read_domain(m, domain, why, size))
		return -EINVAL;
	if (at_entry || ends_with(argument, end, "@return"))
		end -= at_entry ? strlen("@entry") : strlen("@return");
	if (!take(m->regex, sizeof(m->regex), argument, end))
		return refuse(why, size, "the expression behind marker: must have 1 to %d characters", PATTERN_MAX);
	if (pattern_check("marker", m->regex, "^step$", &groups, why, size))
		return -EINVAL;
	m->has_number = groups;
	if (groups && m->at_end)
		return refuse(why, size, "'marker:%.64s' has a group, which is the number of the step that begins: write @entry behind it, or no group",
			      m->regex);
	return 0;
}

int marker_parse(struct step_source_spec *s, char *why, size_t size)
{
	struct marker_spec m;
	int err = marker_read(&m, s->argument, why, size);

	s->ends = m.at_end;
	return err;
}
