#include "config/preset.h"
#include <stdio.h>
#include <string.h>
#include "config/base/version.h"
#include "config/base/words.h"
#include "config/option.h"
#include "config/option_words.h"

const struct preset presets[] = {
#define PRESET(name, package, from, to, help) { name, package, from, to, help },
#define SET(option, value)
#include "config/presets.def"
	{ NULL, NULL, NULL, NULL, NULL }
};

const char *const preset_words[] = {
#define PRESET(name, package, from, to, help) name,
#include "config/presets.def"
	NULL
};

/* A preset's name, and what stands behind it. */
static const struct line {
	const char *preset; /* or NULL: then */
	enum option_id id;
	const char *value;
} lines[] = {
#define PRESET(name, package, from, to, help) { .preset = name },
#define SET(option, text)		      { .id = OPTION_##option, .value = text },
#include "config/presets.def"
};
#define LINES (sizeof(lines) / sizeof(*lines))

size_t preset_kind(const struct preset *p)
{
	const char *dash = strrchr(p->name, '-');

	return dash && dash[1] >= '0' && dash[1] <= '9' ? (size_t)(dash - p->name) : strlen(p->name);
}

static bool is_of_kind(const struct preset *p, const char *name, size_t length)
{
	return preset_kind(p) == length && !strncmp(p->name, name, length);
}

const struct preset *preset_find(const char *name)
{
	const struct preset *of_kind = NULL, *of_package = NULL;

	for (const struct preset *p = presets; p->name; p++) {
		if (!strcmp(p->name, name))
			return p;
		if (is_of_kind(p, name, strlen(name)))
			of_kind = p;
		if (!strcmp(p->package, name) && (!of_package || is_of_kind(p, of_package->name, preset_kind(of_package))))
			of_package = p;
	}
	return of_kind ? of_kind : of_package;
}

const struct preset *preset_for(const struct preset *of, const char *version)
{
	const struct preset *found = NULL;

	for (const struct preset *p = presets; p->name; p++)
		if (is_of_kind(p, of->name, preset_kind(of)) && (!found || version_is_at_least(version, p->from)))
			found = p;
	return found;
}

bool preset_is_like(const char *name, const char *other)
{
	const struct preset *a = preset_find(name), *b = preset_find(other);

	return a && b && is_of_kind(a, b->name, preset_kind(b));
}

void preset_others(const struct preset *of, const char *begin, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (const struct preset *p = presets; p->name; p++)
		if (p != of && is_of_kind(p, of->name, preset_kind(of)) && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s%s", used ? " or " : "", begin, p->name);
}

bool preset_knows(const struct preset *p, const char *version)
{
	size_t length = strlen(p->to);

	return version_is_at_least(version, p->from) &&
	       (version_is_at_least(p->to, version) || (!strncmp(version, p->to, length) && (version[length] < '0' || version[length] > '9')));
}

/* Of a preset's name with a version behind that has none of its own: the one that fits; NULL: it is no such name. */
static const struct preset *for_version_in(const char *name)
{
	const struct preset *found = NULL;

	for (const struct preset *p = presets; p->name; p++) {
		size_t length = preset_kind(p);

		if (!strncmp(p->name, name, length) && name[length] == '-' && name[length + 1] >= '0' && name[length + 1] <= '9')
			found = preset_for(p, name + length + 1);
	}
	return found;
}

bool preset_near(const char *name, char *text, size_t size)
{
	const struct preset *p = for_version_in(name);
	const char *near = p ? p->name : word_nearest(name, preset_words);

	if (p && strcmp(p->from, p->to))
		snprintf(text, size, "%s, which is for %s to %s", near, p->from, p->to);
	else if (p)
		snprintf(text, size, "%s, which is for %s", near, p->from);
	else
		snprintf(text, size, "%s", near ? near : "");
	return near;
}

/* Was it left to us? */
static bool is_unset(const struct config *c, enum option_id id)
{
	char text[4096];

	option_text(c, id, text, sizeof(text));
	return !*text || !strcmp(text, "auto");
}

/* All values of an option, from this line to the preset's last. */
static void join(const struct line *from, enum option_id id, char *text, size_t size)
{
	size_t used = 0;

	for (const struct line *l = from; l < lines + LINES && !l->preset; l++)
		if (l->id == id && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ";" : "", l->value);
}

static void expand(struct config *c, const struct line *from)
{
	bool done[OPTIONS] = { false };
	char text[4096], why[256];

	for (const struct line *l = from; l < lines + LINES && !l->preset; l++) {
		if (done[l->id])
			continue;
		done[l->id] = true;
		join(from, l->id, text, sizeof(text));
		if (is_unset(c, l->id))
			option_set(c, l->id, text, why, sizeof(why));
	}
}

void preset_expand(struct config *c)
{
	const struct preset *p = *c->preset ? preset_find(c->preset) : NULL;

	for (size_t i = 0; p && i < LINES; i++)
		if (lines[i].preset && !strcmp(lines[i].preset, p->name))
			expand(c, &lines[i + 1]);
}
