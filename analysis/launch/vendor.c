#include "analysis/launch/vendor.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct launch_vendor *const vendors[] = {
#define VENDOR(name) &name##_launch,
#include "analysis/launch/vendors.def"
#undef VENDOR
};
#define VENDORS (sizeof(vendors) / sizeof(vendors[0]))

const char *launch_environment(void)
{
	const char *word = "";

	for (size_t i = 0; i < VENDORS && !*word; i++)
		if (vendors[i]->environment)
			word = vendors[i]->environment();
	return word;
}

const char *launch_preload(void)
{
	const char *word = "";

	for (size_t i = 0; i < VENDORS && !*word; i++)
		if (vendors[i]->preload)
			word = vendors[i]->preload();
	return word;
}

void launch_before_start(struct config *c, char *const *command)
{
	for (size_t i = 0; i < VENDORS; i++)
		if (vendors[i]->before_start)
			vendors[i]->before_start(c, command);
}

static void add_preload(const struct launch_preload *p, const char *library, char *text, size_t size)
{
	const char *name = strrchr(library, '/');
	char path[4096];

	snprintf(path, sizeof(path), "%.*slibranktrace-%s.so", name ? (int)(name + 1 - library) : 0, library, p->name);
	if (access(path, R_OK))
		fprintf(stderr, "ranktrace: %s is missing: %s\n", path, p->lost);
	else
		snprintf(text + strlen(text), size - strlen(text), ":%s", path);
}

void launch_preloads(const struct config *c, const char *library, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < VENDORS; i++)
		for (const struct launch_preload *p = vendors[i]->preloads; p && p->name; p++)
			if (p->wanted(c))
				add_preload(p, library, text, size);
}

const char *launch_sentence(const char *word)
{
	for (size_t i = 0; i < VENDORS; i++)
		for (const struct launch_note *n = vendors[i]->notes; n && n->word; n++)
			if (!strcmp(n->word, word))
				return n->sentence;
	return NULL;
}

void launch_without_preload(char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < VENDORS; i++)
		if (vendors[i]->without_preload)
			snprintf(text + strlen(text), size - strlen(text), ", or %s", vendors[i]->without_preload);
}
