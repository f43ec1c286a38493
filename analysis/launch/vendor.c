#include "analysis/launch/vendor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/text.h"
#include "analysis/launch/variables.h"

static const struct launch_vendor *const vendors[] = {
#define VENDOR(name) &name##_launch,
#include "analysis/launch/vendors.def"
#undef VENDOR
};
#define VENDORS (sizeof(vendors) / sizeof(vendors[0]))

const char *launch_environment(char *const *command)
{
	const char *word = "";

	for (size_t i = 0; i < VENDORS && !*word; i++)
		if (vendors[i]->environment)
			word = vendors[i]->environment(command);
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

const char *launch_packages(char *const *command)
{
	const char *word = "";

	for (size_t i = 0; i < VENDORS && !*word; i++)
		if (vendors[i]->packages)
			word = vendors[i]->packages(command);
	return word;
}

void launch_before_start(struct config *c, char *const *command)
{
	for (size_t i = 0; i < VENDORS; i++)
		if (vendors[i]->before_start)
			vendors[i]->before_start(c, command);
}

static void add_preload(const struct launch_preload *p, const char *library, const char *folder, char *text, size_t size)
{
	const char *name = strrchr(library, '/');
	char path[4096];

	snprintf(path, sizeof(path), "%.*slibranktrace-%s.so", name ? (int)(name + 1 - library) : 0, library, p->name);
	if (access(path, R_OK))
		fprintf(stderr, "ranktrace: %s is missing: %s\n", path, p->lost);
	else
		snprintf(text + strlen(text), size - strlen(text), ":%s%s", folder ? folder : "", path + (folder ? name - library : 0));
}

void launch_preloads(const struct config *c, const char *library, const char *folder, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < VENDORS; i++)
		for (const struct launch_preload *p = vendors[i]->preloads; p && p->name; p++)
			if (p->wanted(c))
				add_preload(p, library, folder, text, size);
}

static bool is_our_library(const char *path)
{
	return !strcmp(text_basename(path), "libranktrace.so");
}

/* True: it is somebody's, which is told behind `prefix`. */
static bool is_lost(FILE *out, const char *prefix, const struct launch_variable *v)
{
	const char *there = getenv(v->name);
	bool is_lost = there && *there && !is_our_library(there);

	if (is_lost)
		fprintf(out, "%s%s is set already, to %s: %s\n", prefix, v->name, there, v->lost);
	return is_lost;
}

static void put_variable(FILE *out, const struct launch_variable *v, const char *library, bool plain)
{
	const char *there = getenv(v->name);

	if (is_lost(stderr, "ranktrace: ", v))
		return;
	if (!library)
		library = there;
	if (!library || !*library)
		return;
	fprintf(out, "%s=", v->name);
	variables_put_value(out, library, plain);
	fputc('\n', out);
}

void launch_variables(FILE *out, const char *library, bool plain)
{
	for (size_t i = 0; i < VENDORS; i++)
		for (const struct launch_variable *v = vendors[i]->variables; v && v->name; v++)
			put_variable(out, v, library, plain);
}

void launch_variables_lost(FILE *out)
{
	for (size_t i = 0; i < VENDORS; i++)
		for (const struct launch_variable *v = vendors[i]->variables; v && v->name; v++)
			is_lost(out, "", v);
}

bool launch_is_ours(const char *entry)
{
	size_t length = strcspn(entry, "=");

	for (size_t i = 0; i < VENDORS; i++)
		for (const struct launch_variable *v = vendors[i]->variables; v && v->name; v++)
			if (strlen(v->name) == length && !strncmp(v->name, entry, length) && entry[length])
				return is_our_library(entry + length + 1);
	return false;
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
