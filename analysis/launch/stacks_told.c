#include "analysis/launch/stacks_told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/option_words.h"

#define LIBRARY	 "libunwind.so.8"
#define USUAL	 "/lib:/lib64:/usr/lib:/usr/lib64"
#define CACHE	 "/etc/ld.so.cache"
#define READ_MAX (16u << 20)

/* ---- what is asked for ---- */

/* A role has what is not said of it as all have it; where there are roles, nothing else is recorded. */
static bool is_asked(const struct config *c, unsigned int contents, bool of_no_level)
{
	bool asked = !c->roles.count && c->contents & contents && (!of_no_level || c->level < LEVEL_0);

	for (unsigned int i = 0; i < c->roles.count; i++) {
		const struct role_choice *r = &c->roles.list[i];
		bool enable = !role_says(r, ROLE_KEY_enable) || r->enable;
		int level = role_says(r, ROLE_KEY_level) ? (int)r->level : (int)c->level;
		unsigned int of_role = role_says(r, ROLE_KEY_contents) ? r->contents : c->contents;

		asked |= enable && of_role & contents && (!of_no_level || level < LEVEL_0);
	}
	return asked;
}

bool stacks_have_no_level(const struct config *c)
{
	return is_asked(c, CONTENT_MODULE | CONTENT_STACK, true);
}

/* ---- what is there ---- */

static bool is_in_folders(const char *folders)
{
	char path[4096];
	int length;

	for (; folders && *folders; folders += length + (folders[length] != '\0')) {
		length = (int)strcspn(folders, ":;");
		snprintf(path, sizeof(path), "%.*s/" LIBRARY, length, folders);
		if (length && !access(path, R_OK))
			return true;
	}
	return false;
}

/* One that cannot be read says nothing against the library. */
static bool is_in_cache(const char *cache)
{
	FILE *file = fopen(cache, "re");
	char *text = file ? malloc(READ_MAX) : NULL;
	size_t size = text ? fread(text, 1, READ_MAX, file) : 0;
	bool found = !size || memmem(text, size, "/" LIBRARY, strlen("/" LIBRARY));

	free(text);
	if (file)
		fclose(file);
	return found;
}

bool stacks_have_no_unwinder(const struct config *c, const char *cache)
{
	return c->stack_by == STACK_BY_UNWIND && is_asked(c, CONTENT_STACK, false) && !is_in_folders(getenv("LD_LIBRARY_PATH")) && !is_in_folders(USUAL) && !is_in_cache(cache);
}

void stacks_tell(const struct config *c, void (*say)(const char *line))
{
	if (stacks_have_no_level(c))
		say("module and stack have no effect at level_none: give --level level0, or a role level=level0");
	if (stacks_have_no_unwinder(c, CACHE))
		say("stack among the contents is module here, for there is no " LIBRARY ": install libunwind, or give --stack-by fp");
}
