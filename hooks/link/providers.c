#include "hooks/link/providers.h"
#include <string.h>
#include "agent/session/settings.h"

bool providers_family(const char *soname, const char *family)
{
	for (const char *name = family, *end; soname && *name; name = *end ? end + 1 : end) {
		end = strchrnul(name, ' ');
		if (!strncmp(soname, name, (size_t)(end - name)))
			return true;
	}
	return false;
}

static bool collect(const struct elf_object *o, void *data)
{
	struct providers *d = data;
	void *function;

	d->places++;
	if (elf_is_us(o)) {
		d->passed = true;
		return false;
	}
	function = d->passed ? elf_lookup(o, d->name) : NULL;
	if (!function || elf_lookup(o, "ranktrace_version")) /* nobody, or a copy of us */
		return false;
	d->found[d->count].object = *o;
	d->found[d->count].place = d->places - 1;
	d->found[d->count++].function = function;
	return d->count == PROVIDERS;
}

/* Who was linked to none of them has our function from dlsym, which gave it out for the hint. */
static unsigned int hinted(const struct providers *d, const void *hint)
{
	for (unsigned int i = 0; i < d->count; i++)
		if (d->found[i].function == hint)
			return i;
	return 0;
}

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

/* Else a caller's dependencies say which of several runtimes it was linked to. */
unsigned int providers_choose(const struct providers *d, const char *family, const void *caller, const void *hint)
{
	struct elf_object from;

	if (!providers_family(d->found[0].object.soname, family))
		return 0; /* another preloaded tool: it passes the call on itself */
	if (d->found[0].place < started && !settings.undo_deepbind)
		return 0;
	if (!caller || !elf_object_at(caller, &from))
		return hinted(d, hint);
	for (unsigned int i = 0; i < d->count; i++)
		if (elf_depends(&from, elf_name(&d->found[i].object)))
			return i;
	return hinted(d, hint);
}

void providers_find(struct providers *d, const char *name)
{
	d->name = name;
	d->count = d->places = 0;
	d->passed = false;
	elf_walk(collect, d);
}
