#include "hooks/link/providers.h"
#include <string.h>
#include "agent/session/settings.h"
#include "hooks/rows/family.h"

/* ---- all of a name ---- */

struct search {
	const char *name;
	bool (*wanted)(const struct provider *, const void *);
	const void *which;
	unsigned int count, places; /* places: objects seen */
	bool passed;		    /* ourselves, in link-map order */
	struct provider *found;	    /* the first that is wanted; of more only their number is told */
};

static bool visit(const struct elf_object *o, void *data)
{
	struct search *s = data;
	struct provider p = { *o, NULL, s->places++ };

	if (elf_is_us(o)) {
		s->passed = true;
		return false;
	}
	p.function = s->passed ? elf_lookup(o, s->name) : NULL;
	if (!p.function || elf_lookup(o, "ranktrace_version")) /* nobody, or a copy of us */
		return false;
	if (s->wanted && !s->wanted(&p, s->which))
		return false;
	if (!s->count++)
		*s->found = p;
	return s->wanted;
}

unsigned int providers_count(const char *name, struct provider *first)
{
	struct search s = { .name = name, .found = first };

	elf_walk(visit, &s);
	return s.count;
}

static bool has_function(const struct provider *p, const void *function)
{
	return p->function == function;
}

bool providers_have(const char *name, const void *function, struct provider *found)
{
	struct search s = { .name = name, .wanted = has_function, .which = function, .found = found };

	return function && elf_walk(visit, &s);
}

/* ---- the one that is meant ---- */

/*
 * What the program was started with is in the scope of all, and searched first: a plugin that was linked to
 * another runtime is bound to that one all the same. Not so one whose RTLD_DEEPBIND we took: it had looked at its own first.
 */
static unsigned int started; /* objects; 0: not known yet */

static bool count_object(const struct elf_object *o, void *count)
{
	(void)o;
	++*(unsigned int *)count;
	return false;
}

void providers_started(void)
{
	unsigned int count = 0;

	elf_walk(count_object, &count);
	started = count;
}

static bool is_needed(const struct provider *p, const void *from)
{
	return elf_depends(from, elf_name(&p->object));
}

/* For which of the names that are wanted, and by which reference, is not looked at. What has no version has any. */
struct reference {
	const char *name;
	const struct elf_object *from;
};

static bool has_version(const struct provider *p, const void *reference)
{
	const struct reference *r = reference;
	const char *version = elf_version_of(&p->object, r->name);

	return !version || elf_wants_version(r->from, version);
}

/* Else a caller's dependencies say which of several runtimes it was linked to, of those that have the versions that it wants. */
void providers_choose(const char *name, const char *family, const void *caller, const void *hint, struct provider *p)
{
	struct elf_object from;
	struct reference reference = { name, &from };
	struct search versions = { .name = name, .wanted = has_version, .which = &reference, .found = p };
	struct search needed = { .name = name, .wanted = is_needed, .which = &from, .found = p };
	bool known;

	if (!family_has(family, p->object.soname))
		return; /* another preloaded tool: it passes the call on itself */
	known = caller && elf_object_at(caller, &from);
	if (known && !has_version(p, &reference) && elf_walk(visit, &versions))
		return;
	if (p->place < started && !settings.undo_deepbind)
		return;
	if (known && elf_walk(visit, &needed))
		return;
	providers_have(name, hint, p); /* linked to none of them: our function is from dlsym, which gave it out for the hint */
}
