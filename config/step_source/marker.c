#include "config/step_source/marker.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/step_source/pattern.h"
#include "config/step_source/spec_list.h"
#include "config/step_source/step_source.h"

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

/* What may stand between the braces. */
static const struct item {
	const char *key;
	size_t offset;
	enum marker_of first; /* and those behind it */
	const char *what;
} items[] = {
	{ "domain=", offsetof(struct marker_spec, domain), MARKER_STEP, "domain" },
	{ "role=", offsetof(struct marker_spec, role), MARKER_STAGE, "role" },
};
#define ITEMS (sizeof(items) / sizeof(*items))
_Static_assert(sizeof(((struct marker_spec *)0)->domain) == sizeof(((struct marker_spec *)0)->role), "of one size");

static bool begins_items(const char *brace)
{
	for (size_t i = 0; i < ITEMS; i++)
		if (!strncmp(brace + 1, items[i].key, strlen(items[i].key)))
			return true;
	return false;
}

/* The last ones: an expression may have braces of its own. */
static const char *find_items(const char *argument)
{
	const char *found = NULL;

	for (const char *p = argument; (p = strchr(p, '{')); p++)
		if (begins_items(p))
			found = p;
	return found;
}

static int refuse_item(const char *item, enum marker_of of, char *why, size_t size)
{
	return refuse(why, size, "'%.*s' is nothing that a marker can be asked here: write {domain=NAME}%s, of at most %zu letters, at the end", shown((long)strlen(item)),
		      item, of == MARKER_STAGE ? " or {role=NAME}" : "", sizeof(((struct marker_spec *)0)->domain) - 1);
}

static int read_item(struct marker_spec *m, enum marker_of of, const char *from, const char *end, char *why, size_t size)
{
	for (size_t i = 0; i < ITEMS; i++) {
		size_t key = strlen(items[i].key);
		char *to = (char *)m + items[i].offset;

		if (of < items[i].first || strncmp(from, items[i].key, key) || from + key == end)
			continue;
		if (*to)
			return refuse(why, size, "%s is given twice: keep one", items[i].what);
		if (take(to, sizeof(m->domain), from + key, end))
			return 0;
	}
	return refuse_item(from, of, why, size);
}

static int read_items(struct marker_spec *m, enum marker_of of, const char *brace, char *why, size_t size)
{
	const char *from = brace + 1, *end;

	do {
		end = from + strcspn(from, ",}");
		if (!*end || (*end == '}' && end[1]))
			return refuse_item(from, of, why, size);
		if (read_item(m, of, from, end, why, size))
			return -EINVAL;
		from = end + 1;
	} while (*end == ',');
	return 0;
}

/* What looks like @entry or @return, and is neither. */
static int check_end(const struct marker_spec *m, char *why, size_t size)
{
	static const char *const ends[] = { "entry", "return", NULL };
	const char *at = strrchr(m->regex, '@'), *near = at && at[1] != ']' ? word_nearest(at + 1, ends) : NULL;

	if (!near)
		return 0;
	return refuse(why, size, "'marker:%.64s' ends in neither @entry nor @return: write @%s (an @ of the range's name is [@])", m->regex, near);
}

static int check_groups(const struct marker_spec *m, enum marker_of of, bool has_end, char *why, size_t size)
{
	if (of == MARKER_STAGE && has_end)
		return refuse(why, size, "'marker:%.64s' is a stage, which lasts as long as its range: leave @entry or @return out", m->regex);
	if (of == MARKER_STEP && m->has_group && m->at_end)
		return refuse(why, size, "'marker:%.64s' has a group, which is the number of the step that begins: write @entry behind it, or no group",
			      m->regex);
	return 0;
}

int marker_read(struct marker_spec *m, enum marker_of of, const char *argument, char *why, size_t size)
{
	const char *brace = find_items(argument), *end = brace ? brace : argument + strlen(argument);
	bool at_entry = ends_with(argument, end, "@entry"), at_return = ends_with(argument, end, "@return");
	size_t groups = 0;

	*m = (struct marker_spec){ .at_end = !at_entry };
	if (brace && read_items(m, of, brace, why, size))
		return -EINVAL;
	if (at_entry || at_return)
		end -= at_entry ? strlen("@entry") : strlen("@return");
	if (!take(m->regex, sizeof(m->regex), argument, end))
		return refuse(why, size, "the expression behind marker: must have 1 to %d characters", PATTERN_MAX);
	if (check_end(m, why, size) || pattern_check("marker", m->regex, "^step$", &groups, why, size))
		return -EINVAL;
	m->has_group = groups;
	return check_groups(m, of, at_entry || at_return, why, size);
}

int marker_parse(struct step_source_spec *s, char *why, size_t size)
{
	struct marker_spec m;
	int err = marker_read(&m, MARKER_STEP, s->argument, why, size);

	s->ends = m.at_end;
	return err;
}

#define MARKER "marker:"

int marker_stages(const char *text, struct marker_spec list[MARKER_STAGES], unsigned int *count, char *why, size_t size)
{
	const char *from, *end;
	char argument[512];

	for (*count = 0; spec_next(&text, &from, &end);) {
		if (strncmp(from, MARKER, strlen(MARKER)))
			continue;
		if (*count == MARKER_STAGES)
			return refuse(why, size, "more than %d markers of stages: write fewer, as in marker:A|B", MARKER_STAGES);
		if (!take(argument, sizeof(argument), from + strlen(MARKER), end))
			return refuse(why, size, "longer than %zu bytes: write a shorter one", sizeof(argument) - 1);
		if (marker_read(&list[*count], MARKER_STAGE, argument, why, size))
			return -EINVAL;
		++*count;
	}
	return 0;
}
